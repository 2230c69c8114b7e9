/** One row of the route catalog. `routes.ts` lists what is derived from it. */
import type { z } from 'zod'
import type { Access } from './access.ts'
import type { AuditAction } from './audit.ts'
import type { ErrorCode } from './errors.ts'

export type ServiceName = 'ingest-api' | 'portal-api' | 'compliance' | 'alerting'

/** Ids are UUIDs, numbers are whole ones from 1 on; what is neither names nothing: 404. */
export type PathParameter = 'text' | 'number' | 'id'

export type Route = ReadingRoute | WritingRoute

interface ReadingRoute extends RouteRow {
  readonly method: 'GET'
  readonly audit?: undefined
}

interface WritingRoute extends RouteRow {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * The action of the one audit row that each request answered with 2xx writes, by `recordAudit`.
   * null: it writes none; a comment beside the row tells why.
   */
  readonly audit: AuditAction | null
}

interface RouteRow {
  /** In Express's syntax: `/api/v1/events/:eventId`. */
  readonly path: string
  readonly service: ServiceName
  readonly access: Access
  readonly summary: string
  /** 303: it answers with a redirect, also where it failed. */
  readonly status: 200 | 201 | 202 | 204 | 303
  readonly body?: z.ZodType
  readonly query?: z.ZodType
  /** Absent with status 204 and 303, and where the answer is no JSON. */
  readonly answer?: z.ZodType
  /** What the path's parameters are; those that are not named here are ids. */
  readonly params?: Readonly<Record<string, PathParameter>>
  /**
   * `form`: a body of `application/x-www-form-urlencoded`, whose fields are texts. `text`: any
   * body, which the handler gets as it was sent. JSON where it is not given.
   */
  readonly consumes?: 'form' | 'text'
  /** JSON where it is not given. */
  readonly produces?: 'xml' | 'scim' | 'html'
  /**
   * Error codes besides UNAUTHORIZED, FORBIDDEN, RATE_LIMITED, UNAVAILABLE and those that follow
   * from a body or a path parameter.
   */
  readonly errors?: readonly ErrorCode[]
  /** The default of 1 MiB is enough for an endpoint with all its lists. */
  readonly maxBodyBytes?: number
  /**
   * The most objects, arrays and scalars that are built of a large body; the default is enough for
   * all but payloads that a handler looks into.
   */
  readonly maxBodyValues?: number
  /** A missing body counts as an empty object. */
  readonly bodyOptional?: true
  /** The code for a body that does not match its schema. */
  readonly invalidBody?: 'BAD_REQUEST' | 'VALIDATION_ERROR'
  /**
   * The answer may take a minute: proxies in front of the route must allow the time and a
   * connection for it.
   */
  readonly waits?: true
  /**
   * Called thousands of times a second, so it is served ahead of Express. Such a route has no path
   * parameters and no query.
   */
  readonly hot?: true
  /** Request headers that the route reads. */
  readonly headers?: readonly {
    name: string
    required: boolean
    meaning: string
    pattern: string
  }[]
  readonly example?: unknown
}

/** Parameters that have the same meaning on every route. */
const COMMON_PARAMETERS: Readonly<Record<string, PathParameter>> = { name: 'text', n: 'number' }

export function pathParameter(route: Route, name: string): PathParameter {
  return route.params?.[name] ?? COMMON_PARAMETERS[name] ?? 'id'
}

/** The prefix of every path of the versioned API. */
export const API = '/api/v1'
/** The prefix of the routes that a sub-account's session is for, and the path of its cookie. */
export const SUB_ACCOUNT_API = '/sub-account-api'
/** Below it stands the token of a link to the portal. */
export const PORTAL_PAGE = '/portal'

/** Whether a route is part of the portal, whose answers say who may frame it. */
export function isOfPortal({ path }: Pick<Route, 'path'>): boolean {
  return path.startsWith(`${SUB_ACCOUNT_API}/`) || path.startsWith(`${PORTAL_PAGE}/`)
}

/** The largest payload, and space for the rest of the body. */
export const MAX_EVENT_BODY_BYTES = 320 * 1024
export const MAX_BATCH_BODY_BYTES = 8 * 1024 * 1024
const DEFAULT_MAX_BODY_BYTES = 1024 * 1024

export function maxBodyBytes(route: Route): number {
  return route.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES
}

/** A payload of 1 MiB has no more values. At its default limit it has 131,000 at most. */
export const MAX_PAYLOAD_VALUES = 524_288
/**
 * A schema and the values of a filter have 32,000 at most, a batch of 100 events 10,000 beside its
 * payloads. Values that are refused a moment later cost too: with 150,000 of them alive the garbage
 * collector stops a process for up to 30 ms.
 */
const DEFAULT_MAX_BODY_VALUES = 50_000

export function maxBodyValues(route: Route): number {
  return route.maxBodyValues ?? DEFAULT_MAX_BODY_VALUES
}

/** Keeps the literal types of each entry. */
export function entry<const Entry extends Route>(route: Entry): Entry {
  return route
}
