/** What is known of one request while it runs, whichever way it is served: by Express or past it. */
export interface RequestScope {
  /** As the sender gave it in `X-Request-Id`, else made here. */
  requestId: string
  /** The catalog's name of the route; '' where none was found. */
  route: string
  /** Aborted when the server begins to close. */
  closing: AbortSignal
  /** The caller's, or the receiver's owner; '' until it is known. */
  tenantId: string
  /** Work for this request goes on, after something was waited for. */
  atWork(): void
}
