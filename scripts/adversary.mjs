/**
 * `npm run adversary -- [--only twilio] [--seed 1] [--list]`: hostile input against a product of
 * its own; see tests/adversary/main.ts.
 */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'tests/adversary/main.ts', process.argv.slice(2))
