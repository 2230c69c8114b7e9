/**
 * `npm run chaos`: shows that nothing is lost, whatever dies. docs/reliability.md says what it
 * does.
 */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'tests/chaos/main.ts', process.argv.slice(2))
