/**
 * Request headers, in lower case, that only the connection and the service itself may set. The
 * service's own `X-Service-*` are reserved as well.
 */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
])
