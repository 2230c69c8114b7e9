/**
 * Nobody reads or changes what is another's: every route of the catalog, called with the ids of
 * another workspace, and of another project by a key bound to one, in each place of its path, query
 * and body that takes an id. Which places these are is read from the catalog's schemas, so a new
 * route is in it; one whose id is of an unknown kind fails here.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { openPool } from '@posthorn/store/pool'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { addWorkspace } from './add-workspace.ts'
import { idPlaces, operationOf, type Owned, pathWith } from './id-places.ts'
import { type Caller, fill, made, MARK } from './one-of-each.ts'
import type { Answer } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

/**
 * Those of a workspace's resources that a key may call; what is for people alone has tests of its
 * own.
 */
const routes = (Object.entries(routeCatalog('Service')) as [string, Route][]).filter(
  ([, { access }]) => access.by === 'member' && access.sessionOnly !== true,
)
/** What a route asks for before it looks anything up. */
const QUERIES: Readonly<Record<string, string>> = { diffEndpointVersions: 'v1=1&v2=1' }
/** What the owner has done itself is counted up to five seconds later, and time goes on. */
const COUNTED = new Set([
  'getCurrentUsage',
  'getUsageHistory',
  'listAuditLogs',
  'getAnalyticsSummary',
  'getAnalyticsOutcomes',
  'getAnalyticsThroughput',
  'getAnalyticsLatency',
  'getAnalyticsFailures',
  'getEndpointHealth',
  'getStats',
  'getRateLimits',
  'getEndpointRateLimit',
])
const PEM = '-----BEGIN CERTIFICATE-----'

describe('what is another’s', () => {
  let receiver: Receiver
  let posthorn: SharedProduct

  beforeAll(async () => {
    receiver = await startReceiver()
    receiver.answer(({ path }) => ({ status: path.includes('gone') ? 400 : 200 }))
    posthorn = await joinProduct('standalone')
  }, 150_000)

  afterAll(async () => {
    await posthorn.leave()
    await receiver.close()
  }, 60_000)

  function as(key: string, projectId?: string): Caller {
    const project: Record<string, string> =
      projectId === undefined ? {} : { 'X-Project-ID': projectId }
    return (method, path, body) =>
      posthorn.call(method, path, body, {
        'X-API-Key': key,
        'X-Idempotency-Key': randomUUID(),
        ...project,
      })
  }

  /** There is no route that makes one. */
  async function makeWorkspace(): Promise<string> {
    const client = openPool({
      url: posthorn.databaseUrl,
      max: 1,
      name: 'test',
      onError: () => undefined,
    })
    const { apiKey } = await addWorkspace(client, posthorn.dataDir, MARK)
    await client.end()
    return apiKey
  }

  /** All that the owner can read, as it stands. */
  async function everything(call: Caller, owned: Owned): Promise<Record<string, string>> {
    const seen: Record<string, string> = {}
    for (const [name, route] of routes) {
      // A poll changes what it reads.
      if (route.method !== 'GET' || route.waits === true || COUNTED.has(name)) continue
      const answer = await call('GET', `${pathWith(name, route, owned)}?${QUERIES[name] ?? ''}`)
      expect({ name, status: answer.status }).toEqual({ name, status: 200 })
      seen[name] = answer.text
    }
    return seen
  }

  function expectNothing(what: string, answer: Answer, statuses: readonly number[]): void {
    expect({ what, text: answer.text, fits: statuses.includes(answer.status) }).toEqual({
      what,
      text: answer.text,
      fits: true,
    })
    expect({ what, seen: answer.text.includes(MARK) }).toEqual({ what, seen: false })
  }

  async function tryAll(stranger: Caller, owned: Owned, tells: (name: string) => boolean) {
    let tried = 0
    for (const [name, route] of routes) {
      const path = pathWith(name, route, owned)
      const query = QUERIES[name] ?? ''
      const body = route.body === undefined ? undefined : (route.example as object)
      const schemas = operationOf(route)
      if (path !== route.path && tells(name)) {
        const answer = await stranger(route.method, `${path}?${query}`, body)
        // A certificate is read before its endpoint is looked for, and an example can't hold one.
        const isPem = JSON.stringify(body ?? '').includes(PEM)
        expectNothing(name, answer, isPem ? [400, 404] : [404])
        tried += 1
      }
      for (const { path: at, kind } of idPlaces(name, schemas.query)) {
        const answer = await stranger(
          route.method,
          `${path}?${at.join('.')}=${owned[kind]}&timeout=1`,
          body,
        )
        // The answer is the one for an id that nobody has: nothing, or that there is nothing.
        expectNothing(`${name}?${at.join('.')}`, answer, [200, 400, 404])
        if (answer.status === 200) expect(answer.text).not.toContain(owned[kind])
        tried += 1
      }
      for (const place of idPlaces(name, schemas.body)) {
        const given = place.many ? [owned[place.kind]] : owned[place.kind]
        const forms = [
          { ...body, [place.path[0] as string]: given },
          { [place.path[0] as string]: given },
        ]
        for (const form of forms) {
          const answer = await stranger(route.method, path, form)
          const at = `${name} ${place.path.join('.')}`
          const isSaid = at === 'createSsoConnection breakGlassUserId' && answer.status === 409
          expectNothing(at, answer, [200, 400, 403, 404, ...(isSaid ? [409] : [])])
          if (isSaid) {
            const unknown = { ...form, [place.path[0] as string]: randomUUID() }
            const { status, text } = answer
            expect(await stranger(route.method, path, unknown)).toMatchObject({ status, text })
          }
          if (answer.status === 200) expect(answer.body).toMatchObject(NOTHING_DONE[name] ?? {})
          tried += 1
        }
      }
      if (path === route.path && route.method === 'GET' && tells(name)) {
        expectNothing(`${name} (all)`, await stranger('GET', `${path}?${query}`), [200, 400, 403])
        tried += 1
      }
    }
    return tried
  }

  /** How a route says that it found none of what it was given. */
  const NOTHING_DONE: Readonly<Record<string, object>> = {
    retryBatch: { retried: 0, eventIds: [] },
    ackPolled: { acknowledged: [] },
  }

  test('another workspace’s is not there, and stays as it is', async () => {
    const owner = as(await makeWorkspace())
    const owned = await fill(owner, receiver.url)
    const before = await everything(owner, owned)
    const tried = await tryAll(as(posthorn.apiKey), owned, () => true)
    expect(tried).toBeGreaterThan(routes.filter(([, { path }]) => path.includes('/:')).length)
    expect(await everything(owner, owned)).toEqual(before)
  }, 90_000)

  test('nor as its own project', async () => {
    const theirs = await made(as(await makeWorkspace())('GET', '/api/v1/projects'))
    const project = theirs.data[0].id as string
    for (const [name, route] of routes) {
      const path = route.path.replace(':name', 'x').replaceAll(/:[A-Za-z]+/g, randomUUID())
      const stranger = as(posthorn.apiKey, project)
      const answer = await stranger(route.method, path, route.body && route.example)
      expect({ name, status: answer.status }).toEqual({ name, status: 404 })
    }
  }, 60_000)

  test('another project’s is not there for a key that is bound to one', async () => {
    const all = as(posthorn.apiKey)
    const other = await made(all('POST', '/api/v1/projects', { name: 'Other' }))
    const own = await made(all('POST', '/api/v1/projects', { name: 'Own' }))
    const owner = as(posthorn.apiKey, other.id)
    const owned = await fill(owner, receiver.url)
    const bound = await made(
      as(posthorn.apiKey, own.id)('POST', '/api/v1/api-keys', { name: 'bound', scopes: ['*'] }),
    )
    const before = await everything(owner, owned)
    // Projects, people, their ways to sign in and sub-accounts are the workspace's, and so is what
    // tells of them.
    const tells = (name: string): boolean =>
      !/project|team|member|subAccount|sso|scim|billing/i.test(name)
    await tryAll(as(bound.key), owned, tells)
    expect(await everything(owner, owned)).toEqual(before)
  }, 90_000)
})
