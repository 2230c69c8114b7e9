/** A request that a public source shows, with what it must be verified by. */
export interface Vector {
  readonly source: string
  /** Where it is shown. */
  readonly from: string
  readonly method?: 'GET' | 'POST'
  /** Behind the receiver's own; a whole one in its place. */
  readonly url?: string
  /** When it came, in milliseconds; default: now. */
  readonly at?: number
  readonly credentials: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** It is a handshake, and this the body of its answer. */
  readonly answer?: string
}
