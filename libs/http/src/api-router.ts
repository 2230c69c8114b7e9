/**
 * A service's routes, made from the catalog: an Express router, and beside it the hot routes, which the server calls
 * ahead of Express.
 */
import {
  maxBodyBytes,
  type Route,
  type RouteName,
  routeCatalog,
  type ServiceName,
} from '@posthorn/contracts/routes'
import { Router as createRouter } from 'express'
import type { Handlers } from './handlers.ts'
import type { RequestScope } from './request-scope.ts'
import type { Router } from './router.ts'
import { type AnyHandler, createServe, type Serve, type ServeDeps } from './serve.ts'

export interface ApiRouterConfig<Service extends ServiceName> {
  service: Service
  brand: string
  /** Where a route's limit differs from the catalog's. */
  maxBodyBytes?: Partial<Record<RouteName, number>>
}

export function createApiRouter<Service extends ServiceName>(
  config: ApiRouterConfig<Service>,
  deps: ServeDeps,
  handlers: Handlers<Service>,
): Router {
  const router = createRouter({ caseSensitive: true })
  const hot = new Map<string, Serve>()
  const routes = Object.entries(routeCatalog(config.brand)) as [RouteName, Route][]
  for (const [name, route] of routes) {
    if (route.service !== config.service) continue
    const handle = (handlers as Record<string, AnyHandler>)[name] as AnyHandler
    const limit = config.maxBodyBytes?.[name] ?? maxBodyBytes(route)
    const serve = createServe(name, route, limit, deps, handle)
    if (route.hot === true) hot.set(`${route.method} ${route.path}`, serve)
    router[route.method.toLowerCase() as 'get'](route.path, async (request, response, next) => {
      const served = await serve(request, response, response.locals as RequestScope, request)
      // No such resource, or another method's path: the last handler tells which.
      if (!served) next()
    })
  }
  return Object.assign(router, { hot })
}
