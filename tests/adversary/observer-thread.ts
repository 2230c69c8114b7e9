/**
 * The thread that observes the product while it is attacked, apart from the attacker's own event
 * loop. It asks for GET /live every 5 ms, and acts as a neighbour who sends 20 events a second,
 * half of them direct and half by type, and receives them.
 *
 * A stall is measured in processor time of the product's main thread, which a busy machine does not
 * lengthen. Where /proc does not exist it is measured by the clock.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromObserver, Observed, ObserverData, ToObserver } from './observed.ts'

const { pid, url, apiKey } = workerData as ObserverData
const PROBE_EVERY_MS = 5
const EVENT_EVERY_MS = 50
const EVENT_TYPE = 'neighbour.tick'

const live = new Agent({ keepAlive: true, maxSockets: 1 })
const events = new Agent({ keepAlive: true, maxSockets: 8 })
let isOpen = true
let isMeasuring = false
let stallMs = 0
let liveMs = 0
let cpuAtBegin = 0
let refused: Record<string, number> = {}
const sentAt = new Map<string, number>()
const latencies: number[] = []
let accepted = 0
let underWay = 0

function cpuMs(): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

function post(message: FromObserver): void {
  parentPort?.postMessage(message)
}

function ask(
  agent: Agent,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body = '' } = options
    const asked = request(url + path, { agent, method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

async function probe(): Promise<void> {
  while (isOpen) {
    const cpu = cpuMs()
    const at = performance.now()
    await ask(live, '/live').catch(() => undefined)
    if (isMeasuring) {
      liveMs = Math.max(liveMs, performance.now() - at)
      stallMs = Math.max(stallMs, cpuMs() - cpu)
    }
    await pause(PROBE_EVERY_MS)
  }
}

async function send(n: number, sinkUrl: string): Promise<void> {
  const id = randomUUID()
  const target = n % 2 === 0 ? { destination: `${sinkUrl}/direct` } : { eventType: EVENT_TYPE }
  const headers = {
    'X-API-Key': apiKey,
    'X-Idempotency-Key': id,
    'Content-Type': 'application/json',
  }
  const body = JSON.stringify({ ...target, payload: { mark: id } })
  sentAt.set(id, performance.now())
  underWay += 1
  try {
    const { status } = await ask(events, '/api/v1/events', { method: 'POST', headers, body })
    if (status === 201) accepted += 1
    else throw new Error(String(status))
  } catch (error) {
    sentAt.delete(id)
    const why = error instanceof Error ? error.message : String(error)
    refused[why] = (refused[why] ?? 0) + 1
  } finally {
    underWay -= 1
  }
}

async function sendAsNeighbour(sinkUrl: string): Promise<void> {
  for (let n = 0; isOpen; n += 1) {
    if (isMeasuring) void send(n, sinkUrl)
    await pause(EVENT_EVERY_MS)
  }
}

const sink = createServer((incoming, response) => {
  let text = ''
  incoming.on('data', (chunk) => (text += chunk))
  incoming.on('end', () => {
    response.end()
    const id = /"mark":"([^"]+)"/.exec(text)?.[1] ?? ''
    const at = sentAt.get(id)
    if (at !== undefined) latencies.push(performance.now() - at)
    sentAt.delete(id)
  })
})

function begin(): void {
  stallMs = 0
  liveMs = 0
  accepted = 0
  refused = {}
  latencies.length = 0
  sentAt.clear()
  cpuAtBegin = cpuMs()
  isMeasuring = true
}

async function end(waitMs: number): Promise<Observed> {
  const spentMs = cpuMs() - cpuAtBegin
  isMeasuring = false
  const until = performance.now() + waitMs
  while ((sentAt.size > 0 || underWay > 0) && performance.now() < until) await pause(10)
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  const figures = { stallMs, liveMs, cpuMs: spentMs, p50Ms: at(0.5), p99Ms: at(0.99) }
  return { ...figures, accepted, refused, lost: sentAt.size }
}

parentPort?.on('message', (message: ToObserver) => {
  if (message.kind === 'begin') begin()
  else if (message.kind === 'end')
    void end(message.waitMs).then((observed) => post({ kind: 'observed', observed }))
  else {
    isOpen = false
    sink.closeAllConnections()
    sink.close()
    live.destroy()
    events.destroy()
    parentPort?.close()
  }
})
sink.listen(0, '127.0.0.1', () => {
  const sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`
  void probe()
  void sendAsNeighbour(sinkUrl)
  post({ kind: 'ready', sinkUrl })
})
