/**
 * What a route's handler gets and returns. The types come from the route catalog: a service that
 * leaves a route out, or answers another shape, does not compile.
 */
import type { AnswerOf, BodyOf, QueryOf, RoutesOf, ServiceName } from '@posthorn/contracts/routes'
import type { Environment } from '@posthorn/domain/api-key'

/** Who calls: an API key, looked up, in force, and granted the route's scope. */
export interface Caller {
  tenantId: string
  keyId: string
  scopes: readonly string[]
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
}

export interface ApiRequest<Body, Query> {
  caller: Caller
  /** From the path; parameters that name ids are UUIDs. */
  params: Readonly<Record<string, string>>
  body: Body
  query: Query
  /** The body's text as sent, '' without one. */
  text: string
  /** A request header, by its name in any case. */
  header(name: string): string | undefined
  /** As the sender gave it in `X-Request-Id`, else made here: a delivery's trace id. */
  requestId: string
  /**
   * For a handler that waits before it answers. It is aborted when nobody is there any more to read
   * the answer, and when the server begins to close: then the handler answers at once.
   */
  signal(): AbortSignal
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

export type Handler<Body, Query, Answer> = (
  request: ApiRequest<Body, Query>,
) => Promise<Answer | RawJson>

export type Handlers<Service extends ServiceName> = {
  [Name in keyof RoutesOf<Service>]: Name extends keyof RoutesOf<ServiceName>
    ? Handler<BodyOf<Name>, QueryOf<Name>, AnswerOf<Name>>
    : never
}
