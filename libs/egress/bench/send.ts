/**
 * What one send costs: 64 at a time against a node:http sink in another process, over kept
 * connections.
 *
 *     node libs/egress/bench/send.ts [seconds] [concurrency]
 *
 * Client and sink share the machine's cores, so requests per second say less than the client's own
 * CPU per request.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createEgress } from '../src/egress.ts'

const WARM_UP_MS = 1000

async function sink(): Promise<void> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"ok":true}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.(server.address())
}

async function measure(seconds: number, concurrency: number): Promise<void> {
  const child = fork(import.meta.filename, ['sink'])
  const [address] = (await once(child, 'message')) as [{ port: number }]
  const egress = createEgress({ allowCidrs: ['127.0.0.0/8'] })
  const request = {
    url: `http://127.0.0.1:${address.port}/hook`,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Posthorn/0.1.0',
      'x-service-event-id': '0199d0c4-7d3b-7c61-9b3b-0d8c5a3a5b11',
      'x-service-signature': 't=1700000000,v1='.padEnd(80, 'a'),
    },
    body: JSON.stringify({ type: 'payment.succeeded', data: 'x'.repeat(400) }),
    timeoutMs: 10_000,
  }
  let until = performance.now() + WARM_UP_MS
  let sent = 0
  const times: number[] = []
  async function worker(): Promise<void> {
    while (performance.now() < until) {
      const result = await egress.send(request)
      if (result.outcome !== 'response') throw new Error(result.detail)
      times.push(result.durationMs)
      sent++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  sent = 0
  times.length = 0
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  until = startedAt + seconds * 1000
  await Promise.all(Array.from({ length: concurrency }, worker))
  const elapsedS = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  times.sort((a, b) => a - b)
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
  process.stdout.write(
    `${Math.round(sent / elapsedS)} requests/s, ${((user + system) / sent).toFixed(1)} us CPU each, ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${egress.counts().sockets} sockets\n`,
  )
  await egress.close()
  child.kill()
}

if (process.argv[2] === 'sink') await sink()
else await measure(Number(process.argv[2] ?? 4), Number(process.argv[3] ?? 64))
