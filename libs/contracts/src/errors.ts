/** The error codes of the API with their HTTP statuses. No other place gives a code its status. */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  VALIDATION_ERROR: 400,
  BATCH_TOO_LARGE: 400,
  DESTINATION_BLOCKED: 400,
  MISSING_RETURN_URL: 400,
  INVALID_TOKEN: 400,
  UNAUTHORIZED: 401,
  MFA_REQUIRED: 401,
  SESSION_EXPIRED: 401,
  SIGNATURE_INVALID: 401,
  QUOTA_EXCEEDED: 402,
  FORBIDDEN: 403,
  PLAN_REQUIRED: 403,
  EMAIL_NOT_VERIFIED: 403,
  SSO_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  DUPLICATE_EVENT: 409,
  INVALID_STATE: 409,
  ALREADY_CONSUMED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const
export type ErrorCode = keyof typeof ERROR_STATUS

/** One failing field of a request: where it is, as a dotted path, and what is wrong with it. */
export interface FieldProblem {
  path: string
  message: string
}

export interface ErrorBody {
  error: string
  code: ErrorCode
  details?: FieldProblem[] | Record<string, unknown>
  /** A failed session of the portal says where it returns to. */
  returnUrl?: string
  subAccountId?: string
}

/** The return URL of a session in the portal, and the sub-account that it is of. */
export interface PortalReturn {
  returnUrl: string
  subAccountId: string
}

/**
 * A refusal that reaches the caller as it is: thrown anywhere below a route and answered by the
 * error handler. `message` says what failed, on what, and what to do.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorBody['details']
  /** Seconds for `Retry-After`. */
  readonly retryAfterSeconds: number | undefined
  /** Headers of the answer beside those that all errors have. */
  readonly headers: Readonly<Record<string, string>>
  /** Where the page of a failed session in the portal goes on. */
  readonly portal: PortalReturn | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      details?: ErrorBody['details']
      retryAfterSeconds?: number
      headers?: Readonly<Record<string, string>>
      portal?: PortalReturn
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.details = more.details
    this.retryAfterSeconds = more.retryAfterSeconds
    this.headers = more.headers ?? {}
    this.portal = more.portal
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}
