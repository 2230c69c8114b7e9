/**
 * Which service a path belongs to, as the gateway of docker-compose.yml and the chart's Ingress and
 * HTTPRoute have it: regular expressions from the route catalog. The first that matches counts;
 * what none matches belongs to `OTHERWISE`.
 */
import { PUBLIC_INBOUND_ROUTES } from '@posthorn/contracts/inbound-routes'
import { STATS_STREAM } from '@posthorn/contracts/stats'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'

/** The service of documents, pages, readiness, and whatever is no route. */
export const OTHERWISE = 'portal-api'

export interface PathRule {
  service: string
  /** In RE2's syntax, over the whole path. */
  pattern: string
}

type Owned = Pick<Route, 'path'> & { service: string }

export function pathRules(
  routes: readonly Owned[] = [
    ...Object.values(routeCatalog('Service')),
    ...PUBLIC_INBOUND_ROUTES,
    STATS_STREAM,
  ],
): PathRule[] {
  const owners = new Map(routes.map(({ path, service }) => [path, service]))
  const paths = [...owners.keys()].sort(
    (a, b) => parametersOf(a) - parametersOf(b) || (a < b ? -1 : 1),
  )
  const elsewhere = paths.filter((path) => owners.get(path) !== OTHERWISE)
  // A path of `OTHERWISE` needs a rule where another service's parameter would match it.
  const ruled = paths.filter(
    (path) =>
      elsewhere.includes(path) ||
      elsewhere.some((other) => new RegExp(patternOf(other)).test(exampleOf(path))),
  )
  return ruled.map((path) => ({ service: owners.get(path) as string, pattern: patternOf(path) }))
}

/** A path as a client sends it. */
export function exampleOf(path: string): string {
  return path.replaceAll(/:[A-Za-z]+/g, 'x-1')
}

function patternOf(path: string): string {
  return `^${path.replaceAll('.', String.raw`\.`).replaceAll(/:[A-Za-z]+/g, '[^/]+')}/?$`
}

function parametersOf(path: string): number {
  return path.split('/:').length - 1
}
