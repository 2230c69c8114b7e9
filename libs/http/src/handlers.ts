/**
 * What a route's handler gets and returns. The types come from the route catalog: a service that
 * leaves a route out, or answers another shape, does not compile.
 */
import type { AuditScope, CallerActor } from '@posthorn/contracts/audit'
import type {
  AccessOf,
  AnswerOf,
  BodyOf,
  QueryOf,
  RoutesOf,
  ServiceName,
} from '@posthorn/contracts/routes'
import type { Environment } from '@posthorn/domain/api-key'
import type { PlanName } from '@posthorn/domain/plans'
import type { PortalCapability } from '@posthorn/domain/portal-capabilities'
import type { Role } from '@posthorn/domain/roles'

/** A person, as their session knows them. */
export interface SessionUser {
  id: string
  email: string
  name: string | null
  emailVerified: boolean
  mfaEnabled: boolean
}

export interface ParentTenant {
  tenantId: string
  homeProjectId: string
  /** The sub-account takes nothing new. */
  isDeactivated: boolean
}

/** What a session in the portal was minted with, by its sub-account's parent. */
export interface SubAccountSession {
  id: string
  /** The sub-account's. */
  name: string | null
  capabilities: readonly PortalCapability[]
  /** When it ends if it is not used any more; epoch ms. */
  expiresAt: number
  returnUrl: string
}

/** Who calls: an API key or a session, looked up, in force, and let in by the route's row. */
export interface Caller {
  /** Where the request acts: the caller's workspace, or the sub-account that it names. */
  tenantId: string
  /** Set where the request acts in a sub-account: the workspace that it belongs to. */
  parent: ParentTenant | null
  /** The API key that was sent, or the one that the session was made from. */
  keyId: string | null
  /**
   * null: an API key, or the session of a key without the scope `*`. The session of a key with `*`
   * counts as an admin's.
   */
  role: Role | null
  /** null: an API key, or a key's session. */
  user: SessionUser | null
  sessionId: string | null
  /** Who acts, as audit rows keep it. */
  actor: CallerActor
  scopes: readonly string[]
  plan: PlanName
  /**
   * The project that the request is confined to, by its key or by `X-Project-ID`; null: all of the
   * tenant's.
   */
  projectId: string | null
  /** Where new things go: `projectId`, else the tenant's default project. */
  homeProjectId: string
  /** Set when the key is bound to a project. */
  keyProjectId: string | null
  /** The environment of `homeProjectId`. */
  environment: Environment
  /** Set where a sub-account itself calls, from the portal. */
  subAccountSession?: SubAccountSession
}

/** The caller of a session's own routes. */
export interface SessionCaller extends Caller {
  sessionId: string
  /** When the session ends if it is not used any more; epoch ms. */
  expiresAt: number
}

/** A customer of a workspace in the portal, acting in their sub-account. */
export interface SubAccountCaller extends Caller {
  parent: ParentTenant
  subAccountSession: SubAccountSession
}

/** An identity provider. */
export interface ScimCaller {
  tenantId: string
  tokenId: string
}

interface Callers {
  member: Caller
  session: SessionCaller
  'scim-token': ScimCaller
  anyone: null
  'sub-account': SubAccountCaller
}

/** The workspace whose plan is used: a sub-account uses its parent's. */
export function payerOf({ tenantId, parent }: Pick<Caller, 'tenantId' | 'parent'>): string {
  return parent?.tenantId ?? tenantId
}

/** Who did something, as `created_by` and `changed_by` keep it. */
export function actorOf({
  user,
  keyId,
  tenantId,
  subAccountSession,
}: Pick<Caller, 'user' | 'keyId' | 'tenantId' | 'subAccountSession'>): string {
  if (subAccountSession !== undefined) return `sub-account:${tenantId}`
  return user === null ? `api-key:${keyId}` : `user:${user.id}`
}

export interface ApiRequest<Body, Query, Who = Caller> {
  caller: Who
  /** From the path; parameters that name ids are UUIDs. */
  params: Readonly<Record<string, string>>
  body: Body
  query: Query
  /** The body's text as sent, '' without one. */
  text: string
  /** A request header, by its name in any case. */
  header(name: string): string | undefined
  /** A cookie, by its name. */
  cookie(name: string): string | undefined
  /** The address that the request came from, as far as proxies are trusted to tell. */
  clientIp: string
  /** As the sender gave it in `X-Request-Id`, else made here: a delivery's trace id. */
  requestId: string
  /** For `recordAudit`, which each handler of a route with an `audit` calls once. */
  readonly audit: AuditScope
  /**
   * For a handler that waits before it answers. It is aborted when nobody is there any more to read
   * the answer, and when the server begins to close: then the handler answers at once.
   */
  signal(): AbortSignal
}

/** An answer that is more than its JSON. */
export interface Reply<Answer> {
  readonly [REPLY]: true
  readonly answer?: Answer | RawJson
  /** Instead of JSON. */
  readonly text?: { readonly contentType: string; readonly content: string }
  /** Instead of JSON in one piece. It is read as fast as the client takes it. */
  readonly chunks?: AsyncIterable<string>
  /** The route's own where it is not given. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`; `cookies.ts` makes them. */
  readonly cookies?: readonly string[]
}

const REPLY = Symbol('reply')
type ReplyMore = Pick<Reply<never>, 'status' | 'headers' | 'cookies'>

export function reply<Answer>(answer: Answer | RawJson, more: ReplyMore): Reply<Answer> {
  return { [REPLY]: true, answer, ...more }
}

/** @param location a path of our own, or a URL that the handler has checked */
export function redirect(location: string, more: Pick<ReplyMore, 'cookies'> = {}): Reply<never> {
  return { [REPLY]: true, status: 303, headers: { Location: location }, ...more }
}

export function textReply(
  contentType: string,
  content: string,
  more: Pick<ReplyMore, 'headers'> = {},
): Reply<never> {
  return { [REPLY]: true, text: { contentType, content }, ...more }
}

/** JSON that is too large for memory, as a file to be saved. */
export function streamReply(fileName: string, chunks: AsyncIterable<string>): Reply<never> {
  const headers = { 'Content-Disposition': `attachment; filename="${fileName}"` }
  return { [REPLY]: true, chunks, headers }
}

export function isReply(answer: unknown): answer is Reply<unknown> {
  return typeof answer === 'object' && answer !== null && REPLY in answer
}

const RAW = Symbol('raw JSON')

/** JSON text that goes out as it is, so that an answer can contain a payload's own bytes. */
export interface RawJson {
  readonly [RAW]: string
}

export function rawJson(text: string): RawJson {
  return { [RAW]: text }
}

/** An answer as JSON text. */
export function toJsonText(answer: unknown): string {
  const isRaw = typeof answer === 'object' && answer !== null && RAW in answer
  return isRaw ? (answer as RawJson)[RAW] : JSON.stringify(answer)
}

export type Handler<Body, Query, Answer, Who = Caller> = (
  request: ApiRequest<Body, Query, Who>,
) => Promise<Answer | RawJson | Reply<Answer>>

export type Handlers<Service extends ServiceName> = {
  [Name in keyof RoutesOf<Service>]: Name extends keyof RoutesOf<ServiceName>
    ? Handler<BodyOf<Name>, QueryOf<Name>, AnswerOf<Name>, Callers[AccessOf<Name>]>
    : never
}
