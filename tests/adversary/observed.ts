/** The messages to and from the observer's thread: the one module that both sides import. */

export interface ObserverData {
  pid: number
  /** The product's URL. */
  url: string
  /** The key of the neighbour, a tenant whose requests are all in order. */
  apiKey: string
}

export type ToObserver = { kind: 'begin' } | { kind: 'end'; waitMs: number } | { kind: 'stop' }

export type FromObserver =
  /** `sinkUrl` is where the neighbour's events go. */
  { kind: 'ready'; sinkUrl: string } | { kind: 'observed'; observed: Observed }

/** What was observed between `begin` and `end`. */
export interface Observed {
  /**
   * The most processor time, in ms, that the product's event loop took between a GET /live and its
   * answer.
   */
  stallMs: number
  /** The longest that a GET /live took, by the clock. */
  liveMs: number
  /** The processor time of the product's event loop in all. */
  cpuMs: number
  /** How many of the neighbour's events were answered 201. */
  accepted: number
  /** The neighbour's events that were answered otherwise, by status or error. */
  refused: Readonly<Record<string, number>>
  /** Events that were accepted and not delivered by the end. */
  lost: number
  /** Latency from the request to the delivery. */
  p50Ms: number
  p99Ms: number
}
