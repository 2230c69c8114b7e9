/**
 * A thousand references to a person in every place and spelling, and a thousand near misses: an
 * export has exactly the references, and after an erasure nothing but sign-ins and the user record
 * has the address.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createAddressMatcher } from '@posthorn/domain/address-matcher'
import { findBroken } from '@posthorn/store/invariants.fixture'
import {
  type Call,
  type Json,
  startTestCompliance,
  type TestCompliance,
  type Workspace,
} from '../compliance.fixture.ts'
import { dump, NEAR_MISSES, PLACES, type Place, plant, SPELLINGS } from './planted.fixture.ts'

const ADDRESS = 'ann.byron@example.com'
const EACH = 1_000

let compliance: TestCompliance
let workspace: Workspace
let child: Workspace
let stranger: Workspace
let call: Call
const references = new Map<Place, Set<string>>()
const nearMisses = new Map<Place, Set<string>>()

beforeAll(async () => {
  compliance = await startTestCompliance()
  workspace = await compliance.addWorkspace()
  child = await compliance.addWorkspace(workspace.tenantId)
  stranger = await compliance.addWorkspace()
  call = await workspace.callAs('admin')
  const { pool } = compliance
  await pool.query('INSERT INTO users (id, email) VALUES (gen_random_uuid(), $1)', [ADDRESS])
  for (let nth = 0; nth < EACH; nth += 1) {
    const place = PLACES[nth % PLACES.length] as Place
    const round = Math.floor(nth / PLACES.length)
    const planter = { pool, ...(nth % 3 === 0 ? child : workspace) }
    for (const [texts, planted] of [
      [SPELLINGS, references],
      [NEAR_MISSES, nearMisses],
    ] as const) {
      const text = texts[round % texts.length]?.(ADDRESS) ?? ''
      const ids = planted.get(place) ?? new Set()
      planted.set(place, ids.add(await plant(planter, place, text)))
    }
  }
  await pool.query(
    `INSERT INTO mails (id, tenant_id, recipient, kind, data)
     VALUES (gen_random_uuid(), $1, $2, 'invite', '{}')`,
    [workspace.tenantId, ADDRESS],
  )
}, 120_000)
afterAll(async () => {
  await compliance.close()
})

async function run(path: string, email = ADDRESS): Promise<Json> {
  const queued = await call('POST', path, { email })
  expect(queued).toMatchObject({
    status: 202,
    body: { subjectEmail: email.toLowerCase(), status: 'queued' },
  })
  await compliance.runJobs()
  const { body } = await call('GET', `/gdpr/jobs/${queued.body.id}`)
  expect(body).toMatchObject({ status: 'completed', error: null })
  expect(body.progress.done).toBe(body.progress.total)
  return body
}

function idsOf(planted: Map<Place, Set<string>>, places: readonly Place[]): string[] {
  return places.flatMap((place) => [...(planted.get(place) ?? [])]).toSorted()
}

const OF_EVENTS: readonly Place[] = ['payload', 'headers', 'key']
const OF_ATTEMPTS: readonly Place[] = ['response body', 'response headers', 'request body']
const OF_AUDIT: readonly Place[] = ['audit metadata', 'audit actor']

test('an export has the references and nothing else', async () => {
  const another = await plant({ pool: compliance.pool, ...stranger }, 'payload', ADDRESS)
  const job = await run('/gdpr/data-export', ADDRESS.toUpperCase())
  const { status, body } = await call('GET', job.downloadUrl.replace('/api/v1', ''))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    schema_version: 1,
    client_id: workspace.tenantId,
    exported_at: expect.any(String),
  })
  const ids = (rows: { id: string }[]): string[] => rows.map(({ id }) => id).toSorted()
  expect(ids(body.events)).toEqual(idsOf(references, OF_EVENTS))
  expect(ids(body.delivery_attempts)).toEqual(idsOf(references, OF_ATTEMPTS))
  expect(ids(body.audit_logs)).toEqual(idsOf(references, OF_AUDIT))
  expect(JSON.stringify(body)).not.toContain(another)
  expect(body.events.some((row: Json) => row.client_id === child.tenantId)).toBe(true)
  const list = await call('GET', '/gdpr/jobs?limit=1')
  expect(list.body.data).toMatchObject([{ id: job.id, kind: 'export' }])
})

describe('an erasure', () => {
  test('leaves the address in sign-ins and the user record alone, and every near miss', async () => {
    await compliance.pool.query('DELETE FROM events WHERE tenant_id = $1', [stranger.tenantId])
    const before = await dump(compliance.pool)
    await run('/gdpr/data-erasure')
    const { matches } = createAddressMatcher(ADDRESS)
    const after = await dump(compliance.pool)
    const left = [...after]
      .filter(([, rows]) => rows.some((row) => matches(row)))
      .map(([name]) => name.replace(/_\d{8}$/, ''))
    expect(left.toSorted()).toEqual(['auth_audit_logs', 'users'])
    // What a near miss stands in is as it was, but for the delivery that nothing ended.
    const ofNearMisses = new Set(idsOf(nearMisses, [...OF_EVENTS, ...OF_ATTEMPTS, ...OF_AUDIT]))
    for (const [name, rows] of before) {
      if (!/^(events|attempts|audit_logs)_/.test(name)) continue
      const kept = rows.filter((row) => [...row.matchAll(ID)].some(([id]) => ofNearMisses.has(id)))
      const rest = new Set(after.get(name))
      expect(kept.filter((row) => !rest.has(row))).toEqual([])
    }
    const broken = await findBroken(compliance.pool)
    expect(broken.map((rule) => rule.slice(0, 120))).toEqual([])
  }, 60_000)

  test('takes the documents of earlier exports along, and ends deliveries for its own reason', async () => {
    const exported = await call('GET', '/gdpr/jobs?limit=100')
    const job = exported.body.data.find((one: Json) => one.kind === 'export')
    expect(job.downloadUrl).toBeNull()
    expect((await call('GET', `/gdpr/jobs/${job.id}/download`)).status).toBe(404)
    const ids = idsOf(references, OF_EVENTS)
    const { rows } = await compliance.pool.query(
      `SELECT DISTINCT e.payload, e.headers, e.dead_reason, d.state, d.dead_reason AS of_delivery
       FROM events e JOIN deliveries d ON d.tenant_id = e.tenant_id AND d.event_id = e.id
       WHERE e.id = ANY ($1::uuid[])`,
      [ids],
    )
    expect(rows).toEqual([
      {
        payload: '{"_redacted":true,"reason":"gdpr_erasure"}',
        headers: null,
        dead_reason: 'gdpr_erasure',
        state: 4,
        of_delivery: 'gdpr_erasure',
      },
    ])
    const { rows: attempts } = await compliance.pool.query(
      `SELECT DISTINCT response_body, response_headers, request_body FROM attempts
       WHERE id = ANY ($1::uuid[])`,
      [idsOf(references, OF_ATTEMPTS)],
    )
    expect(attempts).toEqual([
      { response_body: '[redacted: gdpr_erasure]', response_headers: null, request_body: null },
    ])
    const { rows: keys } = await compliance.pool.query(
      `SELECT count(*)::int AS hashed FROM idempotency_keys k JOIN events e
         ON e.tenant_id = k.tenant_id AND e.id = k.event_id AND e.idempotency_key = k.key
       WHERE k.key ~ '^sha256:[0-9a-f]{64}$' AND k.event_id = ANY ($1::uuid[])`,
      [ids],
    )
    expect(keys[0].hashed).toBe(references.get('key')?.size)
  })

  test('done twice it changes nothing', async () => {
    const before = await dump(compliance.pool)
    await run('/gdpr/data-erasure')
    const after = await dump(compliance.pool)
    for (const [name, rows] of before) {
      if (!/^(events|attempts|deliveries|due|idempotency_keys)/.test(name)) continue
      expect(after.get(name)?.toSorted()).toEqual(rows.toSorted())
    }
    const { rows } = await compliance.pool.query(
      `SELECT event, subject, metadata ->> 'job_id' AS job FROM auth_audit_logs
       WHERE tenant_id = $1 ORDER BY id`,
      [workspace.tenantId],
    )
    expect(rows.map((row) => row.event)).toEqual([
      'gdpr.export.queued',
      'gdpr.export.completed',
      'gdpr.erasure.queued',
      'gdpr.erasure.completed',
      'gdpr.erasure.queued',
      'gdpr.erasure.completed',
    ])
    expect(new Set(rows.map((row) => row.subject))).toEqual(new Set([ADDRESS]))
    expect(rows[0].job).toBe(rows[1].job)
  })
})

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g

test('an address is asked for under one of two names, and is one', async () => {
  const both = { email: ADDRESS, subjectEmail: ADDRESS }
  for (const body of [{}, both, { email: 'nobody' }, { email: `${ADDRESS}, b@example.com` }])
    expect((await call('POST', '/gdpr/data-export', body)).status).toBe(400)
  const queued = await call('POST', '/gdpr/data-export', { subjectEmail: 'Bob@Example.com' })
  expect(queued).toMatchObject({ status: 202, body: { subjectEmail: 'bob@example.com' } })
  const early = await call('GET', `/gdpr/jobs/${queued.body.id}/download`)
  expect(early).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
  const others = await stranger.callAs('admin')
  expect((await others('GET', `/gdpr/jobs/${queued.body.id}`)).status).toBe(404)
  await compliance.runJobs()
  // Nothing was found, and the document says so.
  const { status, body } = await call('GET', `/gdpr/jobs/${queued.body.id}/download`)
  expect({ status, events: body.events }).toEqual({ status: 200, events: [] })
  await compliance.pool.query(
    `UPDATE subject_jobs SET completed_at = now() - interval '31 days' WHERE id = $1`,
    [queued.body.id],
  )
  expect((await call('GET', `/gdpr/jobs/${queued.body.id}/download`)).status).toBe(404)
})
