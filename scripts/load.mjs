/**
 * `npm run load [-- --quick …]`: what the product does under load, beside what it did the last
 * time.
 */
import { handOver, prepare, say } from './prepare.mjs'

const node = prepare()
say('measuring ...')
handOver(node, 'tests/load/main.ts', process.argv.slice(2))
