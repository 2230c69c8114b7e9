/** Audit rows: who changed what. What a handler has to write one, and the shape of the list. */
import { z } from 'zod'
import { PageQuery, pageOf, Timestamp } from './fields.ts'

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

/** What an address, a key or a name may be: as long as the longest of them. */
const FilterText = z.string().min(1).max(320)
const Span = { from: Timestamp.optional(), to: Timestamp.optional() }

export const AuditLogQuery = PageQuery.extend({
  resource: FilterText.optional(),
  action: FilterText.optional().describe('with a dot at its end: every action that begins so'),
  actor: FilterText.optional().describe(
    'the id of a user, who also acts by the keys that they made; of an API key or a ' +
      'sub-account; an e-mail address; or `system`',
  ),
  ...Span,
})
export type AuditLogQuery = z.infer<typeof AuditLogQuery>

const Metadata = z.record(z.string(), z.unknown())

export const AuditLog = z.object({
  id: z.uuid(),
  resource: z.string(),
  resourceId: z.string().nullable(),
  action: z.string(),
  actorUserId: z.uuid().nullable().describe('the person: also who made the API key'),
  actor: z.object({
    type: z.enum(ACTOR_TYPES),
    id: z.uuid().nullable(),
    name: z.string().nullable(),
  }),
  metadata: Metadata.describe('`changes`: a list of `{field, from, to}`; secrets are hints only'),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestId: z.string().nullable(),
  createdAt: Timestamp,
})
export type AuditLog = z.infer<typeof AuditLog>
export const AuditLogPage = pageOf(AuditLog)

/** `family.step.result`; of SCIM and of subjects' data `family.kind.verb`. */
export const AUTH_EVENTS = [
  'signup.success',
  'email.verify.success',
  'password.login.success',
  'password.login.fail',
  'password.login.locked',
  'password.reset.request',
  'password.reset.success',
  'password.change.success',
  'password.change.fail',
  'mfa.enroll.success',
  'mfa.enroll.fail',
  'mfa.disable.success',
  'mfa.disable.fail',
  'mfa.verify.success',
  'mfa.verify.fail',
  'mfa.recovery.success',
  'mfa.recovery.fail',
  'passkey.register.success',
  'passkey.remove.success',
  'passkey.login.success',
  'passkey.login.fail',
  'invite.accept.success',
  'sso.login.success',
  'sso.login.fail',
  'sso.login.jit',
  'scim.user.create',
  'scim.user.update',
  'scim.user.deactivate',
  'session.create',
  'session.revoke',
  'gdpr.export.queued',
  'gdpr.export.completed',
  'gdpr.export.failed',
  'gdpr.erasure.queued',
  'gdpr.erasure.completed',
  'gdpr.erasure.failed',
  'gdpr.workspace_deletion.queued',
  'gdpr.workspace_deletion.completed',
  'gdpr.workspace_deletion.failed',
] as const
export type AuthEventName = (typeof AUTH_EVENTS)[number]

export const AuthAuditQuery = PageQuery.extend({
  event: FilterText.optional().describe('with a dot at its end: every event that begins so'),
  subject: FilterText.optional().describe(
    'an e-mail address, or the subject at an identity provider',
  ),
  ...Span,
})
export type AuthAuditQuery = z.infer<typeof AuthAuditQuery>

export const AuthAuditEntry = z.object({
  id: z.uuid(),
  event: z.string(),
  userId: z.uuid().nullable(),
  subject: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  metadata: Metadata,
  createdAt: Timestamp,
})
export type AuthAuditEntry = z.infer<typeof AuthAuditEntry>
export const AuthAuditPage = pageOf(AuthAuditEntry)
