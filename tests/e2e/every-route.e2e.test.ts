/**
 * Every route of the catalog, called as somebody who may not: without a key, with a key that lacks
 * the scope, with another workspace's project, with ids that nobody has, by another method. Made
 * from the catalog, so a new route is in it.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { MemberAccess } from '@posthorn/contracts/access'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { SCOPES } from '@posthorn/domain/scopes'
import { MODES } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

type KeyRoute = Route & { access: MemberAccess }

/** What a route asks for before it looks anything up. */
const QUERIES: Readonly<Record<string, string>> = { diffEndpointVersions: '?v1=1&v2=2' }
const catalog = Object.entries(routeCatalog('Service')) as [string, Route][]
/** Those that an API key may call. */
const routes = catalog.flatMap(([name, route]): [string, KeyRoute][] => {
  const { access } = route
  return access.by === 'member' && access.sessionOnly !== true ? [[name, { ...route, access }]] : []
})

describe.each(MODES)('every route (%s)', (mode) => {
  let posthorn: SharedProduct

  beforeAll(async () => {
    posthorn = await joinProduct(mode)
  }, 150_000)

  afterAll(async () => await posthorn.leave(), 60_000)

  function path(route: Route): string {
    return route.path
      .replace('/by-name/:name', '/by-name/no.such')
      .replaceAll(/:[A-Za-z]+/g, randomUUID())
  }

  async function call(name: string, route: Route, headers: Record<string, string>) {
    const body = route.body === undefined ? undefined : route.example
    const target = path(route) + (QUERIES[name] ?? '')
    return await posthorn.call(route.method, target, body, {
      'X-Idempotency-Key': randomUUID(),
      ...headers,
    })
  }

  test.each(routes)('%s refuses a missing and a wrong key', async (name, route) => {
    for (const key of ['', 'ph_live_nobody-has-this-one']) {
      const answer = await call(name, route, { 'X-API-Key': key })
      expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
      expect(typeof answer.body.error).toBe('string')
    }
  })

  test('each refuses a key with every scope but its own', async () => {
    for (const scope of new Set(routes.map(([, route]) => route.access.scope))) {
      const resource = scope.split(':')[0] as string
      const scopes = SCOPES.filter((other) => other !== '*' && !other.startsWith(`${resource}:`))
      const key = await posthorn.call('POST', '/api/v1/api-keys', { name: scope, scopes })
      expect(key.status).toBe(201)
      for (const [name, route] of routes.filter(([, one]) => one.access.scope === scope)) {
        const answer = await call(name, route, { 'X-API-Key': key.body.key as string })
        expect({ name, status: answer.status, code: answer.body.code }).toEqual({
          name,
          status: 403,
          code: 'FORBIDDEN',
        })
      }
    }
  }, 60_000)

  test.each(routes)("%s refuses a project that is not the workspace's", async (name, route) => {
    const answer = await call(name, route, { 'X-Project-ID': randomUUID() })
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  // An example can't hold a key pair: its body is refused before its endpoint is looked for.
  const lookedUp = routes.filter(
    ([name, route]) => route.path.includes(':') && name !== 'setEndpointMtls',
  )
  test.each(lookedUp)('%s answers 404 for what nobody has', async (name, route) => {
    const answer = await call(name, route, {})
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  test.each(routes)(
    '%s answers another method with 405 and what it allows',
    async (_name, route) => {
      const allowed = routes
        .filter(([, one]) => one.path === route.path)
        .map(([, one]) => one.method)
      const other = (['DELETE', 'PUT', 'PATCH', 'POST'] as const).find(
        (one) => !allowed.includes(one),
      )
      const refused = await posthorn.call(other ?? 'PUT', path(route))
      expect(refused).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } })
      for (const method of allowed) expect(refused.headers.get('allow')).toContain(method)
    },
  )

  test.each(routes.filter(([, route]) => route.body !== undefined))(
    '%s refuses what is no JSON object of its own, and never answers 500',
    async (_name, route: Route) => {
      const target = path(route)
      const send = (body: string, type = 'application/json') =>
        posthorn.call(route.method, target, body, {
          'Content-Type': type,
          'X-Idempotency-Key': randomUUID(),
        })
      expect((await send('{}', 'text/plain')).status).toBe(415)
      if (route.bodyOptional !== true) expect([400, 404]).toContain((await send('')).status)
      for (const body of ['{', '[]', 'null', '"x"', '{"a":', '\u0000']) {
        expect([400, 404]).toContain((await send(body)).status)
      }
      const unknown = await send('{"no-such-field":1,"__proto__":{"x":1}}')
      expect([400, 404]).toContain(unknown.status)
      const deep = `{"payload":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
      // Routes of small bodies refuse it for its size.
      expect([400, 404, 413]).toContain((await send(deep)).status)
    },
  )

  test('unknown paths are 404, whoever asks', async () => {
    for (const one of [
      '/api',
      '/api/v1/nope',
      '/api/v2/events',
      '/%00',
      '/api/v1/events/%E0%A4%A',
    ]) {
      const answer = await posthorn.call('GET', one)
      expect({ one, status: answer.status }).toEqual({
        one,
        status: one.includes('%E0') ? 400 : 404,
      })
    }
  })
})
