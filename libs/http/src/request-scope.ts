/** What is known about one request while it runs, whether it is served by Express or past it. */
export interface RequestScope {
  /** As the sender gave it in `X-Request-Id`, else made here. */
  requestId: string
  /** The catalog's name of the route; '' where none was found. */
  route: string
  /** Aborted when the server begins to close. */
  closing: AbortSignal
  /** The caller's tenant, or the one to whom an inbound address belongs; '' until it is known. */
  tenantId: string
  /** Marks that work for this request goes on, after something was waited for. */
  atWork(): void
}
