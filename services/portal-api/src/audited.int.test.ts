/**
 * Every route of the catalog that is audited, called well and badly: a request that is answered
 * with 2xx leaves exactly one row, one that is refused or fails leaves none, and where the row
 * can't be written nothing else is. Made from the catalog, so that a new route is in it.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { newId } from '@posthorn/domain/ids'
import { hashSecretToken, newSecretToken } from '@posthorn/domain/secret-token'
import { createTestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import {
  AUDITED_REQUESTS,
  type AuditedRequest,
  CLIENT,
  PLANTED,
  PLANTED_IN_CONFIG,
} from './audited-requests.fixture.ts'
import {
  startStripeDouble,
  STRIPE_PRICES,
  type StripeDouble,
} from './billing/stripe/stripe-double.fixture.ts'
import { createStripeBilling } from './billing/stripe/stripe-provider.ts'
import {
  type ApiResponse,
  startTestPortal,
  type Tenant,
  type TestPortal,
} from './portal.fixture.ts'

const routes = (Object.entries(routeCatalog('Service')) as [string, Route][]).filter(
  // The portal's routes are flows of these, and have tests of their own.
  ([, route]) =>
    route.service === 'portal-api' &&
    typeof route.audit === 'string' &&
    route.access.by !== 'sub-account',
)

let stripe: StripeDouble
let portal: TestPortal
let tenant: Tenant
let powerless: string
let tables: string[]
/** Keys, tokens and secrets that answers have shown. */
const shownSecrets: string[] = []

beforeAll(async () => {
  stripe = await startStripeDouble()
  const billing = createStripeBilling({
    secretKey: 'sk_test_1',
    webhookSecret: stripe.webhookSecret,
    prices: STRIPE_PRICES,
    returnUrl: 'https://hooks.example.com/billing',
    apiUrl: stripe.apiUrl,
  })
  const database = await createTestDatabase()
  portal = await startTestPortal(database, database.url, { billing })
  await portal.pool.query(REFUSE_AUDIT)
  const { rows } = await portal.pool.query(TABLES)
  tables = rows.map(({ name }) => name)
})
afterAll(async () => {
  await portal.close()
  await stripe.close()
})
beforeEach(async () => {
  tenant = await portal.addTenant()
  // A machine that has much else to do may refuse the first requests of a file.
  powerless = await eventually(async () => {
    const key = { name: 'None', scopes: ['analytics:read'] }
    const made = await tenant.call('POST', '/api-keys', key)
    expect({ text: made.text, status: made.status }).toMatchObject({ status: 201 })
    return made.body.key
  })
})

/** As if the table could not be written: for the tenants that are named. */
const REFUSE_AUDIT = `
  CREATE TABLE refused_audits (tenant uuid);
  CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT FROM refused_audits WHERE tenant = NEW.tenant_id) THEN
      RAISE EXCEPTION 'no space is left' USING ERRCODE = '53100';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER refuse_audit BEFORE INSERT ON audit_logs
    FOR EACH ROW EXECUTE FUNCTION refuse_audit()`
/** All tables but partitions, which are in their table. */
const TABLES = `SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    AND NOT c.relispartition ORDER BY 1`

async function auditRows() {
  const { rows } = await portal.pool.query(
    'SELECT * FROM audit_logs WHERE tenant_id = $1 ORDER BY id',
    [tenant.tenantId],
  )
  return rows
}

/** What changes without a request: sessions that are used, mails that are sent. */
const MOVING = ['user_sessions', 'refused_audits', 'mails']

/** The tenant's rows of each table; those of other tests are still being worked on. */
async function dump(): Promise<Record<string, string>> {
  const { tenantId } = tenant
  const { rows: columns } = await portal.pool.query(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'tenant_id'`,
  )
  const ofTenants = new Set(columns.map(({ name }) => name))
  const found: Record<string, string> = {}
  for (const table of tables.filter((name) => !MOVING.includes(name))) {
    const where = ofTenants.has(table)
      ? 't.tenant_id = $1'
      : ({
          tenants: 't.id = $1 OR t.parent_id = $1',
          users: 't.id IN (SELECT user_id FROM memberships WHERE tenant_id = $1)',
        }[table] ?? '$1::uuid IS NULL')
    const { rows } = await portal.pool.query(
      `SELECT coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS rows
       FROM ${table} t WHERE ${where}`,
      [tenantId],
    )
    found[table] = rows[0].rows
  }
  return found
}

async function signIn(): Promise<{ cookie: string }> {
  const [id, token] = [newId(), newSecretToken()]
  await portal.pool.query(
    'INSERT INTO users (id, email, email_verified_at) VALUES ($1, $2, now())',
    [id, `${id}@example.com`],
  )
  await portal.pool.query(
    `INSERT INTO memberships (tenant_id, user_id, role, status) VALUES ($1, $2, 'admin', 'active')`,
    [tenant.tenantId, id],
  )
  await portal.pool.query(
    `INSERT INTO user_sessions (token_hash, id, tenant_id, user_id, expires_at)
     VALUES ($1, $2, $3, $4, now() + interval '1 day')`,
    [hashSecretToken(token), newId(), tenant.tenantId, id],
  )
  return { cookie: `service_session=${token}` }
}

async function send(
  route: Route,
  { params = {}, body = route.example, headers = {} }: AuditedRequest,
): Promise<ApiResponse> {
  const path = route.path.replaceAll(
    /:([A-Za-z]+)/g,
    (_, name: string) => params[name] ?? randomUUID(),
  )
  const response = await fetch(portal.url + path, {
    method: route.method,
    headers: {
      'X-API-Key': tenant.key,
      Connection: 'close',
      'User-Agent': 'Test/1',
      ...(route.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(route.body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const parsed = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, body: parsed, text }
}

/** Requests that change nothing, with the status of each. */
function badRequests(route: Route, request: AuditedRequest): [number, AuditedRequest][] {
  const bad: [number, AuditedRequest][] = []
  if (route.access.by === 'member')
    bad.push([403, { ...request, headers: { 'X-API-Key': powerless } }])
  if (route.body !== undefined)
    bad.push([400, { ...request, body: { 'no such field': [], email: 1, name: [] } }])
  if (route.path.includes(':')) bad.push([404, { ...request, params: { n: '1' } }])
  return bad
}

/** What the provider keeps can't be undone here. */
const UNDONE_ELSEWHERE = /^billing\./

describe.each(routes)('%s', (name, route) => {
  test('leaves one row where it is done, and none where it is not', async () => {
    const prepare = AUDITED_REQUESTS[name]
    if (prepare === undefined) throw new Error(`add ${name} to audited-requests.fixture.ts`)
    const request = await prepare({ portal, stripe, tenant, signIn })
    const before = await dump()
    for (const [status, bad] of badRequests(route, request)) {
      const refused = await send(route, bad)
      expect({ text: refused.text, status: refused.status }).toMatchObject({ status })
    }
    expect(await dump()).toEqual(before)

    if (!UNDONE_ELSEWHERE.test(route.audit ?? '')) {
      await portal.pool.query('INSERT INTO refused_audits VALUES ($1)', [tenant.tenantId])
      expect((await send(route, request)).status).toBe(503)
      expect(await dump()).toEqual(before)
      await portal.pool.query('DELETE FROM refused_audits')
    }

    const known = await auditRows()
    const requestId = randomUUID()
    const headers = { ...request.headers, 'X-Request-Id': requestId }
    const done = await send(route, { ...request, headers })
    expect({ text: done.text, status: done.status }).toMatchObject({ status: route.status })
    for (const field of ['key', 'token', 'signingSecret'])
      if (typeof done.body?.[field] === 'string') shownSecrets.push(done.body[field])
    const [row, ...more] = (await auditRows()).slice(known.length)
    expect(more).toEqual([])
    const byKey = route.access.by === 'member'
    expect(row).toMatchObject({
      action: route.audit,
      resource: (route.audit ?? '').split('.')[0],
      resource_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...(byKey
        ? {
            actor_type: 'api_key',
            actor_id: tenant.keyId,
            actor_name: 'First',
            actor_user_id: null,
          }
        : { actor_type: 'user', actor_id: row.actor_user_id }),
      ip: expect.stringMatching(/127\.0\.0\.1$/),
      user_agent: 'Test/1',
      request_id: requestId,
    })
    const named = Object.values(request.params ?? {})
    if (named.length > 0) expect([...named, done.body?.id]).toContain(row.resource_id)
  })
})

test('a change tells its fields, and nothing of secrets but a hint', async () => {
  const body = { url: 'https://a.example/', eventTypes: ['*'], signingSecret: PLANTED.signing }
  const { id } = (await tenant.call('POST', '/endpoints', body)).body
  const headers = { Authorization: PLANTED_IN_CONFIG.header }
  const change = { timeoutMs: 1_000, signingSecret: PLANTED.nextSigning, customHeaders: headers }
  await tenant.call('PATCH', `/endpoints/${id}`, change)
  const row = (await auditRows()).at(-1)
  expect(row.action).toBe('endpoint.update')
  expect(row.metadata.changes).toEqual([
    { field: 'timeoutMs', from: 30_000, to: 1_000 },
    { field: 'customHeaders', from: null, to: { Authorization: '…omer' } },
    {
      field: 'signingSecretHint',
      from: PLANTED.signing.slice(-4),
      to: PLANTED.nextSigning.slice(-4),
    },
  ])
})

test('in a sub-account the row is the sub-account’s, and the actor the parent’s key', async () => {
  const { id } = (await tenant.call('POST', '/sub-accounts', { externalId: 'one' })).body
  const inside = { 'X-Sub-Account-ID': 'one' }
  const body = { url: 'https://a.example/', eventTypes: ['*'] }
  expect((await tenant.call('POST', '/endpoints', body, inside)).status).toBe(201)
  const { rows } = await portal.pool.query('SELECT * FROM audit_logs WHERE tenant_id = $1', [id])
  expect(rows).toMatchObject([{ action: 'endpoint.create', actor_id: tenant.keyId }])
  expect((await auditRows()).map(({ action }) => action)).not.toContain('endpoint.create')
})

test('the person behind a key is who made it, also by another key', async () => {
  const { cookie } = await signIn()
  const asPerson = { 'X-API-Key': '', Cookie: cookie }
  const keys = { name: 'Made', scopes: ['*'] }
  const first = await tenant.call('POST', '/api-keys', keys, asPerson)
  const userId = (await auditRows()).at(-1).actor_user_id
  const second = await portal.callAs(first.body.key)('POST', '/api-keys', keys)
  await portal.callAs(second.body.key)('POST', '/projects', { name: 'P', environment: 'staging' })
  expect((await auditRows()).slice(-2)).toMatchObject([
    { action: 'api_key.create', actor_id: first.body.id, actor_user_id: userId },
    { action: 'project.create', actor_id: second.body.id, actor_user_id: userId },
  ])
  expect(userId).toMatch(/^[0-9a-f-]{36}$/)
})

test('what the billing provider tells of is the service’s own change, once', async () => {
  await AUDITED_REQUESTS['changePlan']?.({ portal, stripe, tenant, signIn })
  const rows = (await auditRows()).filter(({ resource }) => resource === 'billing')
  expect(rows.map(({ action, actor_type }) => [action, actor_type])).toEqual([
    ['billing.checkout', 'api_key'],
    ['billing.sync', 'system'],
  ])
  expect(rows[1].metadata.changes).toContainEqual({ field: 'plan', from: 'free', to: 'growth' })
})

/** Runs after the others, on all that they have left. */
test('no secret that was given or made is in any table', async () => {
  const keyText = CLIENT.key.split('\n')[2] as string
  const secrets = [...Object.values(PLANTED), ...shownSecrets, keyText]
  expect(shownSecrets.length).toBeGreaterThan(3)
  const leaks: string[] = []
  for (const table of tables) {
    const { rows } = await portal.pool.query(`SELECT t::text AS row FROM ${table} t`)
    const text = rows.map(({ row }) => row).join('\n')
    const unsaid = table.endsWith('audit_logs') ? Object.values(PLANTED_IN_CONFIG) : []
    for (const secret of [...secrets, ...unsaid])
      if (text.includes(secret)) leaks.push(`${table}: ${secret}`)
  }
  expect(leaks).toEqual([])
})
