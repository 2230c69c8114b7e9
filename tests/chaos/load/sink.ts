/**
 * The endpoints: one server with a path for each target, which answers as the target's kind says.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Ledger, SentEvent } from './ledger.ts'
import type { Target } from './protocol.ts'

export interface Sink {
  port: number
  expect(round: string, targets: readonly Target[], ledger: Ledger): void
  setBad(bad: boolean): void
  close(): void
}

/** How long endpoints take to answer, in turn. */
const ANSWER_MS = [0, 0, 2, 5, 20] as const

export async function startSink(): Promise<Sink> {
  let targets = new Map<string, Target>()
  let ledger: Ledger | undefined
  let current = ''
  let bad = true
  let turn = 0
  const hanging = new Set<ServerResponse>()

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {}) // the dispatcher was killed
    response.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const id = String(request.headers['x-service-event-id'])
      take(id, request.url ?? '', Buffer.concat(chunks).toString(), response)
    })
  })

  function take(id: string, path: string, body: string, response: ServerResponse): void {
    const book = ledger
    const target = targets.get(path.slice(1))
    const { round, lane, n } = JSON.parse(body) as Omit<SentEvent, 'target'> & { round?: string }
    // An event of an earlier round, which has been evaluated already.
    if (target === undefined || book === undefined || round !== current) return void response.end()
    book.arrived(id, { target, lane, n }, Date.now())
    const { kind } = target
    if (kind === 'hangs' && bad) {
      hanging.add(response)
      response.once('close', () => hanging.delete(response))
      return
    }
    const fails = kind === 'dead' || (bad && (kind === 'flaky' || kind === 'stuck'))
    turn += 1
    const answer = (): void => {
      // A dispatcher that has gone does not hear the answer, and rightly sends again.
      if (!fails && !response.destroyed) book.succeeded(id, Date.now())
      response.writeHead(fails ? 500 : 200).end()
    }
    const delayMs = ANSWER_MS[turn % ANSWER_MS.length] as number
    if (delayMs === 0) answer()
    else setTimeout(answer, delayMs)
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    expect(round, expected, book) {
      current = round
      targets = new Map(expected.map((target) => [target.name, target]))
      ledger = book
    },
    setBad(now) {
      bad = now
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
