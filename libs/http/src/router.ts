/**
 * What a service hands over to be mounted, so that only this library needs to know Express by name.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Router as ExpressRouter } from 'express'
import type { Serve } from './serve.ts'

/**
 * `hot`, by `<method> <path>`: routes that are served ahead of Express when a request's URL is just
 * that path. `prefix`: whatever is one segment below a path, with or without a query. `upgrades`,
 * by path: what turns into a WebSocket.
 */
export type Router = ExpressRouter & {
  readonly hot?: ReadonlyMap<string, Serve>
  readonly prefix?: PrefixRoute
  readonly upgrades?: ReadonlyMap<string, Upgrade>
}

/**
 * Turns a request into a WebSocket. What it throws is answered like any other failure, and the
 * connection is then closed.
 * @param closing aborted when the server begins to close: then the socket is to be ended
 */
export type Upgrade = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  closing: AbortSignal,
) => Promise<void>

export interface PrefixRoute {
  /** Ends with a slash. */
  readonly path: string
  readonly methods: readonly string[]
  readonly serve: Serve
}
