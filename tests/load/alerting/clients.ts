/** A thread with readers of the stream of stats: `port`, `tenants` and `each` in its data. */
import { parentPort, workerData } from 'node:worker_threads'
import { WebSocket } from 'undici'

const { port, tenants, each } = workerData as { port: number; tenants: string[]; each: number }

for (let place = 0; place < each; place += 1) {
  await Promise.all(
    tenants.map(
      (tenantId) =>
        new Promise<void>((opened, failed) => {
          const socket = new WebSocket(`ws://127.0.0.1:${port}/${tenantId}`)
          socket.addEventListener('open', () => opened())
          socket.addEventListener('error', () => failed(new Error('no stream')))
        }),
    ),
  )
}
parentPort?.postMessage('open')
