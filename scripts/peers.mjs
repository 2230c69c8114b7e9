/** `npm run peers [-- --list]`: our servers against clients of others; see tests/peers/main.ts. */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'tests/peers/main.ts', process.argv.slice(2))
