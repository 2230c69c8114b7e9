/**
 * `npm start`: all of Posthorn in one process, on an embedded Postgres unless `DATABASE_URL` names
 * another.
 */
import { HEAP_FLAGS } from './heap.mjs'
import { handOver, prepareToRun, say } from './prepare.mjs'

const node = prepareToRun()
say('starting ...')
handOver(node, 'services/standalone/src/main.ts', process.argv.slice(2), HEAP_FLAGS)
