/** `npm run sdks`: writes the generated parts of the SDKs from the route catalog. */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'scripts/sdks/main.ts', [])
