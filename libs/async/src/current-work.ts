/**
 * What the event loop is working on, marked where a request's handler, a consumer's callback or a ticker's round begins
 * and goes on: a few variables instead of an AsyncLocalStorage, so that a mark costs some 100 ns and a process of a
 * thousand requests a second pays nothing that can be seen.
 *
 * It knows the last mark, not the running function. Work that goes on after it waited, and marks nothing then, is taken
 * for whatever was marked last; so whatever does dear work for a tenant marks itself just before it.
 */
import { performance } from 'node:perf_hooks'

export interface CurrentWork {
  /** The catalog's name of a route or topic, or `ticker <name>`. */
  at: string
  /** '' where it is nobody's. */
  tenantId: string
  /** '' where there is no request. */
  requestId: string
}

/** The loop was busy from this mark to the next one, or to the look that found it, for longer than `HELD_MS`. */
export interface BusySpan extends CurrentWork {
  busyMs: number
  /** The marks before it, oldest first. */
  before: string[]
}

/** What holds the event loop for longer is a fault of ours, whoever asked for it. */
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
let onHeld: ((held: BusySpan) => void) | undefined

/** What runs from now on, until the next mark or until the loop has nothing to do, is this. */
export function markWork(name: string, tenant = '', request = ''): void {
  noteBusySpan()
  before[count % REMEMBERED] = at
  count += 1
  at = name
  tenantId = tenant
  requestId = request
}

/** Called by whoever looks from time to time: work that held the loop may have been the last for long. */
export function noteBusySpan(): void {
  const now = performance.now()
  const idle = nodeTiming.idleTime
  const busyMs = now - markedAt - (idle - idleMs)
  markedAt = now
  idleMs = idle
  if (busyMs >= STALL_MS && onHeld !== undefined) onHeld(held(busyMs))
}

/** One listener a process; undefined takes it away. */
export function listenForBusySpans(listener: ((held: BusySpan) => void) | undefined): void {
  onHeld = listener
}

function held(busyMs: number): BusySpan {
  const names = Array.from({ length: REMEMBERED }, (_, n) => before[(count + n) % REMEMBERED] ?? '')
  return { at, tenantId, requestId, busyMs, before: names.filter((name) => name !== '') }
}
