/**
 * `npm run simulate -- [--seeds 10000] [--seed 4711] [--mutations]`: the pipeline on virtual time;
 * see docs/reliability.md.
 */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'tests/simulation/main.ts', process.argv.slice(2))
