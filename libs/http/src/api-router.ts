/**
 * Makes a service's routes from the catalog: those for Express, and beside them the hot ones, which
 * the server calls ahead of it.
 */
import {
  maxBodyBytes,
  type Route,
  type RouteName,
  routeCatalog,
  type ServiceName,
} from '@posthorn/contracts/routes'
import type { RequestHandler } from 'express'
import { type BodyCapacityConfig, createBodyCapacity } from './body-capacity.ts'
import type { Handlers } from './handlers.ts'
import type { RequestScope } from './request-scope.ts'
import type { Router } from './router.ts'
import { type AnyHandler, createServe, type Serve, type ServeDeps } from './serve.ts'

export interface ApiRouterConfig<Service extends ServiceName> {
  service: Service
  brand: string
  /** Limits of routes that differ from the catalog's. */
  maxBodyBytes?: Partial<Record<RouteName, number>>
  /** How many bytes of bodies these routes have in memory together, where it is not the default. */
  bodyCapacity?: Pick<BodyCapacityConfig, 'maxBytes' | 'maxSmallBytes'>
}

export function createApiRouter<Service extends ServiceName>(
  config: ApiRouterConfig<Service>,
  deps: ServeDeps,
  handlers: Handlers<Service>,
): Router {
  const hot = new Map<string, Serve>()
  const all = Object.entries(routeCatalog(config.brand)) as [RouteName, Route][]
  const routes = all.filter(([, { service }]) => service === config.service)
  const limitOf = (name: RouteName, route: Route): number =>
    config.maxBodyBytes?.[name] ?? maxBodyBytes(route)
  const largestBody = Math.max(...routes.map(([name, route]) => limitOf(name, route)))
  const withCapacity = {
    ...deps,
    bodyCapacity: createBodyCapacity({ largestBody, ...config.bodyCapacity }),
  }
  const ofExpress = routes.map(([name, route]) => {
    const handle = (handlers as Record<string, AnyHandler>)[name] as AnyHandler
    const serve = createServe(name, route, limitOf(name, route), withCapacity, handle)
    if (route.hot === true) hot.set(`${route.method} ${route.path}`, serve)
    const handler: RequestHandler = async (request, response, next) => {
      const served = await serve(request, response, response.locals as RequestScope, request)
      // There is no such resource, or the path is another method's: the last handler tells which.
      if (!served) next()
    }
    return [route.method.toLowerCase() as 'get', route.path, handler] as const
  })
  return {
    hot,
    mount(express) {
      for (const [method, path, handler] of ofExpress) express[method](path, handler)
    },
  }
}
