/** What calls throw: one class for what the API answered, one for when it did not answer. */

export interface ApiErrorFields {
  status: number
  code: string
  details: unknown
  requestId: string | undefined
  retryAfterMs: number | undefined
}

/** The API answered with an error. `code` is the API's word for it, as `NOT_FOUND`. */
export class PosthornApiError extends Error {
  override readonly name = 'PosthornApiError'
  readonly status: number
  readonly code: string
  /** What the API says besides: the fields at fault, or how much of a quota is used. */
  readonly details: unknown
  /** Names the request in the logs of the installation. */
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(message: string, fields: ApiErrorFields) {
    super(message)
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details
    this.requestId = fields.requestId
    this.retryAfterMs = fields.retryAfterMs
  }

  /** The same call may succeed later. */
  get retryable(): boolean {
    return isRetryableStatus(this.status)
  }
}

/** No answer came: `cause` tells why. */
export class PosthornConnectionError extends Error {
  override readonly name = 'PosthornConnectionError'
  readonly retryable = true
}

/** The call took longer than its `timeoutMs`, all attempts together. */
export class PosthornTimeoutError extends Error {
  override readonly name = 'PosthornTimeoutError'
  readonly retryable = true
}

/** A webhook is not what it claims to be. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}
