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
  /** Makes flaky, stuck and hanging endpoints misbehave, or behave well. */
  misbehave(on: boolean): void
  close(): void
}

/** How long endpoints take to answer, in turn. */
const ANSWER_MS = [0, 0, 2, 5, 20] as const

export async function startSink(): Promise<Sink> {
  let targets = new Map<string, Target>()
  let ledger: Ledger | undefined
  let round = ''
  let misbehaves = true
  let answers = 0
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
    const current = ledger
    const target = targets.get(path.slice(1))
    const event = JSON.parse(body) as Omit<SentEvent, 'target'> & { round?: string }
    // An event of an earlier round, which has been evaluated already.
    if (target === undefined || current === undefined || event.round !== round)
      return void response.end()
    current.arrived(id, { target, lane: event.lane, n: event.n }, Date.now())
    const { kind } = target
    if (kind === 'hangs' && misbehaves) {
      hanging.add(response)
      response.once('close', () => hanging.delete(response))
      return
    }
    const fails = kind === 'dead' || (misbehaves && (kind === 'flaky' || kind === 'stuck'))
    answers += 1
    const answer = (): void => {
      // A dispatcher that has gone does not hear the answer, and rightly sends again.
      if (!fails && !response.destroyed) current.succeeded(id, Date.now())
      response.writeHead(fails ? 500 : 200).end()
    }
    const delayMs = ANSWER_MS[answers % ANSWER_MS.length] as number
    if (delayMs === 0) answer()
    else setTimeout(answer, delayMs)
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    expect(nextRound, expected, nextLedger) {
      round = nextRound
      targets = new Map(expected.map((target) => [target.name, target]))
      ledger = nextLedger
    },
    misbehave(on) {
      misbehaves = on
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
