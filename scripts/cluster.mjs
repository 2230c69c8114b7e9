/**
 * `npm run cluster`: every service as a process of its own, on a real Postgres, Redis and Kafka.
 */
import { HEAP_FLAGS } from './heap.mjs'
import { handOver, prepare, preparePages, say } from './prepare.mjs'

const node = prepare()
preparePages(node)
say('starting the cluster ...')
handOver(node, 'scripts/cluster/main.ts', process.argv.slice(2), HEAP_FLAGS)
