/**
 * What a service hands over to be mounted, so that only this library needs to know Express by name.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { IRouter } from 'express'
import type { Serve } from './serve.ts'

export interface Router {
  /**
   * Adds its routes to those of the server's one Express router. A router within it would hand what
   * it does not have over by `setImmediate`: all services in one process took a request several
   * turns of the event loop.
   */
  mount(express: IRouter): void
  /** By `<method> <path>`: served ahead of Express when a request's URL is just that path. */
  readonly hot?: ReadonlyMap<string, Serve>
  /** Whatever is one segment below a path, with or without a query. */
  readonly prefix?: PrefixRoute
  /** By path: what turns into a WebSocket. */
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
