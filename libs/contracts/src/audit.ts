/** Audit rows: who changed what. What a handler has to write one, and the shape of the list. */

export const ACTOR_TYPES = ['user', 'api_key', 'sub_account', 'system'] as const

/** Who did something. */
export interface AuditActor {
  type: (typeof ACTOR_TYPES)[number]
  /** The user's, the API key's or the sub-account's; null: the service itself. */
  id: string | null
  /** The e-mail address of a person, the name of a key or a sub-account. */
  name: string | null
}

export interface CallerActor extends AuditActor {
  /** The person: themselves, or who made the API key; null: nobody knows. */
  userId: string | null
}

/** `<resource>.<verb>`, both in snake_case. */
export type AuditAction = `${string}.${string}`

/** What a request tells about the change that it asks for. */
export interface AuditScope {
  /** Where the change is made: the workspace, or the sub-account that the request acts in. */
  readonly tenantId: string
  /** The route's own; null: the route is not audited, and nothing may be recorded. */
  readonly action: AuditAction | null
  readonly actor: CallerActor
  readonly ip: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
  /** `recordAudit` was called; whether its transaction was committed is the handler's matter. */
  isRecorded: boolean
}

/** What differs after a change. Values of secrets are hints. */
export interface AuditChange {
  field: string
  from: unknown
  to: unknown
}
