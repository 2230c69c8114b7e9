/**
 * Nobody reads or changes what is another's: every route of the catalog, called with the ids of
 * another workspace, and of another project by a key bound to one, in each place of its path, query
 * and body that takes an id. Which places these are is read from the catalog's schemas, so a new
 * route is in it; one whose id is of an unknown kind fails here.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { openPool, type Pool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { addWorkspace, type Workspace } from './add-workspace.ts'
import { idOf, idPlaces, operationOf, type Owned, pathWith } from './id-places.ts'
import { type Caller, fill, made, MARK } from './one-of-each.ts'
import type { Answer } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'
import { addMember, addSession } from './signed-in.ts'

type Routes = readonly [string, Route][]
const catalog: Routes = Object.entries(routeCatalog('Service'))
/** Those of a workspace's resources that a key may call. */
const routes = catalog.filter(
  ([, { access }]) => access.by === 'member' && access.sessionOnly !== true,
)
/** What is for people alone, who are signed in. */
const peoplesRoutes = catalog.filter(
  ([, { access }]) => access.by === 'session' || (access.by === 'member' && access.sessionOnly),
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
  let pool: Pool

  beforeAll(async () => {
    receiver = await startReceiver()
    receiver.answer(({ path }) => ({ status: path.includes('gone') ? 400 : 200 }))
    posthorn = await joinProduct('standalone')
    pool = openPool({ url: posthorn.databaseUrl, max: 1, name: 'test', onError: () => undefined })
  }, 150_000)

  afterAll(async () => {
    await pool.end()
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
  async function makeWorkspace(): Promise<Workspace> {
    return await addWorkspace(pool, posthorn.dataDir, MARK)
  }

  async function signedIn(tenantId: string, userId: string): Promise<Caller> {
    const { cookie } = await addSession(pool, { tenantId, userId, apiKeyId: null })
    return (method, path, body) =>
      posthorn.call(method, path, body, { 'X-API-Key': '', Cookie: cookie })
  }

  /** One of each kind that people alone have. */
  async function fillPeoples(owner: Caller, tenantId: string, userId: string): Promise<Owned> {
    const session = await addSession(pool, { tenantId, userId, apiKeyId: null })
    const passkey = randomUUID()
    await pool.query(
      `INSERT INTO passkeys (credential_id, id, user_id, public_key, counter, name)
       VALUES ($1::text::bytea, $1::uuid, $2, '', 0, $3)`,
      [passkey, userId, MARK],
    )
    const job = await made(
      owner('POST', '/api/v1/gdpr/data-export', { email: `a@${MARK}.example` }),
    )
    await eventually(
      async () =>
        expect((await made(owner('GET', `/api/v1/gdpr/jobs/${job.id}`))).status).toBe('completed'),
      { timeoutMs: 30_000 },
    )
    return { 'subject-job': job.id, 'user-session': session.id, passkey, workspace: tenantId }
  }

  /** All that the owner can read, as it stands. */
  async function everything(
    call: Caller,
    owned: Owned,
    among = routes,
  ): Promise<Record<string, string>> {
    const seen: Record<string, string> = {}
    for (const [name, route] of among) {
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

  async function tryAll(
    stranger: Caller,
    owned: Owned,
    tells: (name: string) => boolean,
    among = routes,
  ): Promise<number> {
    let tried = 0
    for (const [name, route] of among) {
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
          `${path}?${at.join('.')}=${idOf(owned, kind)}&timeout=1`,
          body,
        )
        // The answer is the one for an id that nobody has: nothing, or that there is nothing.
        expectNothing(`${name}?${at.join('.')}`, answer, [200, 400, 404])
        if (answer.status === 200) expect(answer.text).not.toContain(idOf(owned, kind))
        tried += 1
      }
      for (const place of idPlaces(name, schemas.body)) {
        const id = idOf(owned, place.kind)
        const given = place.many ? [id] : id
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
    const owner = as((await makeWorkspace()).apiKey)
    const owned = await fill(owner, receiver.url)
    const before = await everything(owner, owned)
    const tried = await tryAll(as(posthorn.apiKey), owned, () => true)
    expect(tried).toBeGreaterThan(routes.filter(([, { path }]) => path.includes('/:')).length)
    expect(await everything(owner, owned)).toEqual(before)
  }, 90_000)

  test('nor is what people alone may call, for somebody who is signed in elsewhere', async () => {
    const { tenantId } = await makeWorkspace()
    const userId = await addMember(pool, tenantId, 'admin', { domain: `${MARK}.example` })
    const owner = await signedIn(tenantId, userId)
    const owned = await fillPeoples(owner, tenantId, userId)
    const before = await everything(owner, owned, peoplesRoutes)
    const strange = await addMember(pool, posthorn.tenantId, 'admin')
    const stranger = await signedIn(posthorn.tenantId, strange)
    const tried = await tryAll(stranger, owned, () => true, peoplesRoutes)
    const withId = peoplesRoutes.filter(([, { path }]) => path.includes('/:'))
    expect(withId.map(([name]) => name)).toEqual(
      expect.arrayContaining(['revokeSession', 'deletePasskey', 'downloadSubjectExport']),
    )
    expect(tried).toBeGreaterThan(withId.length)
    expect(await everything(owner, owned, peoplesRoutes)).toEqual(before)
    // What the stranger was refused is there for its owner.
    const path = `/api/v1/gdpr/jobs/${idOf(owned, 'subject-job')}/download`
    expect((await owner('GET', path)).status).toBe(200)
    for (const own of [
      `/auth/sessions/${owned['user-session']}`,
      `/auth/passkeys/${owned.passkey}`,
    ])
      expect((await owner('DELETE', own)).status).toBe(204)
    expect((await owner('POST', '/auth/session/switch', { clientId: tenantId })).status).toBe(200)
  }, 60_000)

  test('nor as its own project', async () => {
    const theirs = await made(as((await makeWorkspace()).apiKey)('GET', '/api/v1/projects'))
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
