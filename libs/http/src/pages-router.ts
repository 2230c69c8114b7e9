/**
 * Serves web pages beside the API: GET of the paths that are pages and of the files that they load.
 * What is neither falls through to the routes after it. The request of a page reads no credential:
 * whoever opens it is told apart by the calls that the page makes.
 */
import type { RequestHandler } from 'express'
import type { RequestScope } from './request-scope.ts'
import type { Router } from './router.ts'

export interface PageRequest {
  /** Without the query. */
  path: string
  acceptEncoding: string
}

export interface PageAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer | string
}

/** @param answer null: the path is no page */
export function createPagesRouter(answer: (request: PageRequest) => PageAnswer | null): Router {
  const answerPage: RequestHandler = (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next()
    const { 'accept-encoding': accepted } = request.headers
    const acceptEncoding = Array.isArray(accepted) ? accepted.join() : (accepted ?? '')
    const found = answer({ path: request.path, acceptEncoding })
    if (found === null) return next()
    const scope = response.locals as RequestScope
    scope.route = 'pages'
    const length = { 'Content-Length': Buffer.byteLength(found.body) }
    response.writeHead(found.status, { ...found.headers, ...length })
    response.end(request.method === 'HEAD' ? undefined : found.body)
  }
  return { mount: (express) => void express.use(answerPage) }
}
