/** Posthorn's API for Node.js. */
export { Posthorn, type PosthornOptions } from './client.ts'
export {
  PosthornApiError,
  PosthornConnectionError,
  PosthornTimeoutError,
  WebhookVerificationError,
} from './errors.ts'
export type * from './generated/types.ts'
export { type Page, Paginator } from './paginator.ts'
export type { RequestOptions } from './request.ts'
export * as webhooks from './webhooks.ts'
export type { TypedWebhookEvent, VerifyOptions, WebhookEvent } from './webhooks.ts'
