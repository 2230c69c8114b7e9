/** `npm run cluster`: every service as a process of its own, on a real Postgres, Redis and Kafka. */
import { handOver, prepare, say } from './prepare.mjs'

const node = prepare()
say('starting the cluster ...')
handOver(node, 'scripts/cluster/main.ts', process.argv.slice(2))
