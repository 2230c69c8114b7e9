/**
 * A request of a platform to an inbound endpoint, as the verifiers see it: nothing is parsed and
 * nothing is changed.
 */
export interface InboundRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS'
  /** The endpoint's public URL as the platform knows it, with the query that came. */
  readonly url: URL
  /** Names are in lower case; a repeated header has its values in their order. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: Buffer
  /** Milliseconds since 1970. */
  readonly receivedAt: number
}

/**
 * The opened `sourceConfig` of an inbound endpoint, by the names of its preset's keys. Several
 * values of a secret are several secrets, any of which may have signed while the platform rotates
 * it.
 */
export type Credentials = Readonly<Record<string, string | readonly string[]>>
