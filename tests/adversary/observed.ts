/** What the observer's thread is told and what it tells: the one thing that both sides of it import. */

export interface ObserverData {
  pid: number
  /** Of the product. */
  url: string
  /** Of the neighbour, a tenant whose requests are all in order. */
  apiKey: string
}

export type ToObserver = { kind: 'begin' } | { kind: 'end'; waitMs: number } | { kind: 'stop' }

export type FromObserver =
  /** `sinkUrl`: where the neighbour's events go. */
  { kind: 'ready'; sinkUrl: string } | { kind: 'observed'; observed: Observed }

/** Of the time between `begin` and `end`. */
export interface Observed {
  /** The most processor time that the product's event loop took between a GET /live and its answer, ms. */
  stallMs: number
  /** The longest that a GET /live took, by the clock. */
  liveMs: number
  /** Processor time of the product's event loop in all. */
  cpuMs: number
  /** The neighbour's events: answered 201. */
  accepted: number
  /** And otherwise, by status or error. */
  refused: Readonly<Record<string, number>>
  /** Accepted and not delivered by the end. */
  lost: number
  /** From the request to its delivery, ms. */
  p50Ms: number
  p99Ms: number
}
