/** One row of the route catalog: `routes.ts` says what follows from it. */
import type { Scope } from '@posthorn/domain/scopes'
import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

export type ServiceName = 'ingest-api' | 'portal-api'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Express's spelling: `/api/v1/events/:eventId`. */
  readonly path: string
  readonly service: ServiceName
  readonly scope: Scope
  readonly summary: string
  readonly status: 200 | 201 | 202 | 204
  readonly body?: z.ZodType
  readonly query?: z.ZodType
  /** Absent with status 204. */
  readonly answer?: z.ZodType
  /** Besides UNAUTHORIZED, FORBIDDEN, RATE_LIMITED, UNAVAILABLE and what a body or a path brings along. */
  readonly errors?: readonly ErrorCode[]
  /** Default 1 MiB: enough for an endpoint with all its lists. */
  readonly maxBodyBytes?: number
  /** No body is as good as an empty object. */
  readonly bodyOptional?: true
  /** The code of a body that does not fit its schema. */
  readonly invalidBody?: 'BAD_REQUEST' | 'VALIDATION_ERROR'
  /** Its answer may take a minute: whatever stands before it must leave it the time and a connection. */
  readonly waits?: true
  /** Called thousands of times a second: served ahead of Express. Its path has no parameters, and it has no query. */
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

/** Before every path of the versioned API. */
export const API = '/api/v1'

/** A payload at its largest, and room for the rest of the body. */
export const MAX_EVENT_BODY_BYTES = 320 * 1024
export const MAX_BATCH_BODY_BYTES = 8 * 1024 * 1024
const DEFAULT_MAX_BODY_BYTES = 1024 * 1024

export function maxBodyBytes(route: Route): number {
  return route.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES
}

/** Keeps each entry's own types. */
export function entry<const Entry extends Route>(route: Entry): Entry {
  return route
}
