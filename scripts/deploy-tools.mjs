/** `npm run deploy-tools`: builds what tests of the deployment need and this machine has not. */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'tests/deploy/main.ts', [])
