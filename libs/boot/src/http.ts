/**
 * The HTTP server of a process: its services' routes, and what every process tells about itself.
 */
import { PUBLIC_INBOUND_ROUTES } from '@posthorn/contracts/inbound-routes'
import { openApiDocument } from '@posthorn/contracts/openapi'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { type Authenticate, createAuthenticate } from '@posthorn/http/authenticate'
import { createErrorAnswerer } from '@posthorn/http/errors'
import { createHttpServer, type HttpServer } from '@posthorn/http/http-server'
import { markWork } from '@posthorn/async/current-work'
import { createOperations } from '@posthorn/runtime/operations'
import { findApiKeys } from '@posthorn/store/find-api-key'
import { isUnavailable } from '@posthorn/store/pool'
import type { Router } from '@posthorn/http/router'
import { type Clients, healthChecks } from './clients.ts'
import { VERSION } from './version.ts'

export interface HttpConfig {
  routers: readonly Router[]
  isReady(): boolean
}

export function openHttpServer(clients: Clients, { routers, isReady }: HttpConfig): HttpServer {
  const { log, metrics, settings } = clients
  return createHttpServer({
    routers,
    routes: [...(Object.values(routeCatalog(settings.BRAND)) as Route[]), ...PUBLIC_INBOUND_ROUTES],
    operations: createOperations(isReady, healthChecks(clients), metrics),
    document: () => openApiDocument(settings.BRAND, VERSION),
    answerError: createErrorAnswerer({ isUnavailable, log }),
    onWork: markWork,
    observe({ route, status, seconds }) {
      metrics.count('posthorn_http_requests_total', { route, status: String(status) })
      metrics.observe('posthorn_http_request_seconds', { route }, seconds)
    },
  })
}

/** Each process has one cache of keys, emptied by `config.changed`. */
export function openAuthentication({ pool }: Clients): Authenticate {
  return createAuthenticate({ findKeys: (digests) => findApiKeys(pool, digests), now: Date.now })
}
