/** `npm run api-types`: writes the types that the web pages have of our API. */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'web/api-types/src/main.ts', [])
