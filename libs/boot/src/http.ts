/**
 * The HTTP server of a process: its services' routes, and what every process tells about itself.
 */
import { PUBLIC_INBOUND_ROUTES } from '@posthorn/contracts/inbound-routes'
import { openApiDocument } from '@posthorn/contracts/openapi'
import { STATS_STREAM } from '@posthorn/contracts/stats'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { brandOf } from '@posthorn/domain/brand'
import { createAuthenticate } from '@posthorn/http/authenticate'
import { createErrorAnswerer } from '@posthorn/http/errors'
import { createHttpServer, type HttpServer } from '@posthorn/http/http-server'
import { markWork } from '@posthorn/async/current-work'
import type { ServeDeps } from '@posthorn/http/serve'
import { createOperations } from '@posthorn/runtime/operations'
import { findApiKeys } from '@posthorn/store/find-api-key'
import { findScimTokens } from '@posthorn/store/find-scim-token'
import { extendSession, findSessions } from '@posthorn/store/find-session'
import { createChangedTenants } from '@posthorn/store/changed-tenants'
import { findSubAccounts } from '@posthorn/store/find-sub-account'
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
    routes: [
      ...(Object.values(routeCatalog(settings.BRAND)) as Route[]),
      ...PUBLIC_INBOUND_ROUTES,
      STATS_STREAM,
    ],
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

/** Without a log and metrics, as in tests, a request that left no audit row fails loudly. */
interface AccessClients extends Pick<Clients, 'pool'> {
  log?: Pick<Clients['log'], 'error'>
  metrics?: Pick<Clients['metrics'], 'count'>
  state: Pick<Clients['state'], 'takeToken'>
  settings: Pick<Clients['settings'], 'BRAND' | 'DEFAULT_PLAN' | 'TRUSTED_PROXIES'>
}

/**
 * What every API of a process needs to let requests in. Each process has one cache of credentials,
 * emptied by `config.changed`.
 *
 * @param publicUrl where people reach this installation
 */
export function openAccess(
  { pool, state, settings, log, metrics }: AccessClients,
  publicUrl: string,
): ServeDeps {
  const { BRAND: brand, DEFAULT_PLAN: defaultPlan, TRUSTED_PROXIES: trustedProxies } = settings
  const { origin, protocol } = new URL(publicUrl)
  return {
    authenticate: createAuthenticate(
      { brand, publicOrigin: origin, defaultPlan },
      {
        findKeys: (digests) => findApiKeys(pool, digests),
        findSessions: (digests) => findSessions(pool, digests),
        findScimTokens: (digests) => findScimTokens(pool, digests),
        findSubAccounts: (references) => findSubAccounts(pool, references),
        changedTenants: createChangedTenants(pool),
        extendSession: (digest, expiresAt) => extendSession(pool, digest, expiresAt),
        now: Date.now,
      },
    ),
    sessionCookie: { name: `${brandOf(brand).lower}_session`, secure: protocol === 'https:' },
    onUnaudited(route, requestId) {
      if (log === undefined) throw new Error(`${route} has recorded no audit row`)
      log.error('audit.missing', { route, requestId })
      metrics?.count('posthorn_audit_missing_total', { route })
    },
    trustedProxies,
    takeToken: state.takeToken,
    now: Date.now,
  }
}
