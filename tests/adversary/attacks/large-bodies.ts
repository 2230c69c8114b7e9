/**
 * Bodies in which one text, list or object is as large as a body may be, for every route that takes
 * a body: what a handler does with a field before it finds it too large.
 */
import { randomUUID } from 'node:crypto'
import { largeBodies } from '@posthorn/contracts/large-bodies.fixture'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import type { Arena, TenantClient } from '../arena.ts'
import { type Attack, attack, type Dose } from '../attack.ts'
import type { SeededRandom } from '../seeded-random.ts'

/** One body in so many, of 4,300. */
const SHARE_OF_QUICK = 30
const NOBODY = '019aa000-0000-7000-8000-000000000000'
const ROUTES = Object.values(routeCatalog('Posthorn') as Record<string, Route>).filter(
  ({ body, consumes }) => body !== undefined && consumes === undefined,
)

/** Where a path names one of a kind, it is one that exists. */
async function pathsOf(tenant: TenantClient): Promise<(route: Route) => string> {
  const endpoint = await tenant.create('endpoints', {
    url: 'poll://large',
    eventTypes: ['large'],
    deliveryMode: 'poll',
  })
  const eventType = await tenant.create('event-types', { name: 'large' })
  const source = await tenant.createSource('github')
  const event = await tenant.postEvent({ eventType: 'large', payload: {} })
  const ids: readonly [string, string][] = [
    ['/api/v1/endpoints/:', endpoint.id],
    ['/api/v1/event-types/:', eventType.id],
    ['/api/v1/inbound-endpoints/:', source.id],
    ['/api/v1/events/:', event.body.id],
  ]
  return ({ path }) => {
    const id = ids.find(([prefix]) => path.startsWith(prefix))?.[1] ?? NOBODY
    return path.replaceAll(/:\w+/g, id)
  }
}

/** @param isSent asked once for each body, so that each dose is the same */
function largeEverywhere(isSent: (random: SeededRandom) => boolean) {
  return async (arena: Arena, random: SeededRandom): Promise<Dose> => {
    const tenant = await arena.newTenant()
    const pathOf = await pathsOf(tenant)
    const sent = ROUTES.flatMap((route) =>
      [...largeBodies(route)].filter(() => isSent(random)).map((body) => ({ route, body })),
    )
    return async () => {
      const problems: string[] = []
      for (const { route, body } of sent) {
        const { method } = route
        const headers = {
          'X-API-Key': tenant.apiKey,
          'X-Idempotency-Key': randomUUID(),
          'Content-Type': 'application/json',
        }
        const to = pathOf(route)
        const { status } = await arena.send(arena.url + to, { method, headers, body: body.text() })
        if (status >= 500) problems.push(`${method} ${to} with ${body.what} was answered ${status}`)
      }
      return problems
    }
  }
}

export const LARGE_BODIES: readonly Attack[] = [
  attack(
    'bodies: some large texts, lists and objects of all routes',
    'a filter of 1 MiB was serialised and a schema of 1 MiB parsed to learn their length',
    largeEverywhere((random) => random.integer(SHARE_OF_QUICK) === 0),
  ),
  attack(
    'bodies: every large text, list and object of every route',
    'the same; one after the other they leave the garbage of 2 GiB',
    largeEverywhere(() => true),
    { isQuick: false, maxMiB: 256 },
  ),
]
