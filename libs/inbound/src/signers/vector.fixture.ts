/** A request that a public source shows, with the credentials that verify it. */
export interface Vector {
  readonly source: string
  /** The source that shows it. */
  readonly from: string
  readonly method?: 'GET' | 'POST'
  /** Appended to the endpoint's URL, or a whole URL. */
  readonly url?: string
  /** When it was received, in milliseconds since 1970; default: now. */
  readonly at?: number
  readonly credentials: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The body of the answer, where the request is a handshake. */
  readonly answer?: string
}
