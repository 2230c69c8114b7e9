/** `npm run docs`: writes the generated pages of `docs`: the index, llms.txt, the API reference. */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'scripts/docs/main.ts', [])
