/** `npm run docs`: writes the generated pages of `docs`: its index, llms.txt and the API reference. */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'scripts/docs/main.ts', [])
