/**
 * What a service hands over to be mounted, so that only this library needs to know Express by name.
 */
import type { Router as ExpressRouter } from 'express'
import type { Serve } from './serve.ts'

/**
 * `hot`, by `<method> <path>`: routes that are served ahead of Express when a request's URL is just
 * that path. `prefix`: whatever is one segment below a path, with or without a query.
 */
export type Router = ExpressRouter & {
  readonly hot?: ReadonlyMap<string, Serve>
  readonly prefix?: PrefixRoute
}

export interface PrefixRoute {
  /** Ends with a slash. */
  readonly path: string
  readonly methods: readonly string[]
  readonly serve: Serve
}
