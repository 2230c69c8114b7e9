/**
 * Knows what the event loop is working on. It is marked where a request's handler, a consumer's
 * callback or a ticker's round begins and where it goes on: a few variables instead of an
 * AsyncLocalStorage, so that a mark costs some 100 ns and a process with a thousand requests a
 * second does not notice it.
 *
 * It knows the last mark, not the running function. Work that goes on after it waited, and marks
 * nothing then, is taken for whatever was marked last. So whatever does expensive work for a tenant
 * marks itself just before it.
 */
import { performance } from 'node:perf_hooks'

export interface CurrentWork {
  /** The catalog's name of a route or topic, or `ticker <name>`. */
  at: string
  /** '' where the work is for no tenant. */
  tenantId: string
  /** '' where there is no request. */
  requestId: string
}

/**
 * The loop was busy for `STALL_MS` or longer, from this mark to the next one or to the look that
 * found it.
 */
export interface BusySpan extends CurrentWork {
  busyMs: number
  /** The marks before it, oldest first. */
  before: string[]
}

/** Whatever keeps the event loop busy for this long is a fault of ours, whoever asked for it. */
export const STALL_MS = 100
const REMEMBERED = 8

const { nodeTiming } = performance
const before = new Array<string>(REMEMBERED).fill('')
let count = 0
let at = ''
let tenantId = ''
let requestId = ''
let markedAt = performance.now()
let idleMs = nodeTiming.idleTime
let onBusySpan: ((span: BusySpan) => void) | undefined

/** Marks what runs from now on, until the next mark or until the loop has nothing to do. */
export function markWork(name: string, tenant = '', request = ''): void {
  noteBusySpan()
  before[count % REMEMBERED] = at
  count += 1
  at = name
  tenantId = tenant
  requestId = request
}

/** To be called from time to time: work that kept the loop busy may have been the last for long. */
export function noteBusySpan(): void {
  const now = performance.now()
  const idle = nodeTiming.idleTime
  const busyMs = now - markedAt - (idle - idleMs)
  markedAt = now
  idleMs = idle
  if (busyMs >= STALL_MS && onBusySpan !== undefined) onBusySpan(spanOf(busyMs))
}

/** There is one listener in a process; undefined removes it. */
export function listenForBusySpans(listener: ((span: BusySpan) => void) | undefined): void {
  onBusySpan = listener
}

function spanOf(busyMs: number): BusySpan {
  const names = Array.from({ length: REMEMBERED }, (_, n) => before[(count + n) % REMEMBERED] ?? '')
  return { at, tenantId, requestId, busyMs, before: names.filter((name) => name !== '') }
}
