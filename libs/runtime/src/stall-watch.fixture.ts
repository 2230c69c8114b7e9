/**
 * A process with a stall watch, for a test that stops it: `spin` on its standard input keeps its
 * loop busy in a marked work.
 */
import { markWork } from '@posthorn/async/current-work'
import { createStallWatch } from './stall-watch.ts'
import { createTicker } from '@posthorn/async/ticker'

const watch = createStallWatch({
  log: { warn: (_name, fields) => process.stdout.write(`${JSON.stringify(fields)}\n`) },
  metrics: { observe: () => undefined },
})
await watch.start?.()
const config = { name: 'test', everyMs: 10, onError: () => undefined }
createTicker(config, async () => undefined).start()
process.stdin.on('data', () => {
  markWork('event.accepted', 'tenant-7')
  const began = process.threadCpuUsage().user
  while (process.threadCpuUsage().user - began < 150_000);
})
process.stdout.write('ready\n')
