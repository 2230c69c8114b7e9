/**
 * Both lists over many rows of one workspace: each filter is answered from an index, whatever the
 * number of rows, and so is the next page. `AUDIT_ROWS=5000000 npm test -- --only <this file>`
 * measures them over a year of that many rows, and prints the percentiles.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { AUTH_EVENTS } from '@posthorn/contracts/audit'
import { idAt, newId } from '@posthorn/domain/ids'
import { authAuditStatement } from './list-auth-audit.ts'
import { auditLogStatement } from './list-audit-logs.ts'
import type { LogStatement } from './read-newest.ts'
import { type ReadLog, startTestLogs, type TestLogs } from './audit.fixture.ts'

const MEASURED_ROWS = Number(process.env['AUDIT_ROWS'] ?? 0)
const ROWS = MEASURED_ROWS === 0 ? 30_000 : MEASURED_ROWS
const DAYS = MEASURED_ROWS === 0 ? 45 : 365
const DAY_MS = 86_400_000
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS

const ACTIONS = ['endpoint.create', 'endpoint.update', 'endpoint.pause', 'event.replay']
const RARE = 'retention.update'
const ACTORS = Array.from({ length: 20 }, () => newId())
const RARE_ACTOR = newId()

let logs: TestLogs
let tenantId: string
let email: string
let byKey: ReadLog
let byAdmin: ReadLog

beforeAll(async () => {
  logs = await startTestLogs()
  // A workspace as old as its rows.
  tenantId = idAt(TODAY - (DAYS + 1) * DAY_MS).slice(0, 18) + newId().slice(18)
  await logs.pool.query(
    `INSERT INTO tenants (id, name, plan, signing_secret) VALUES ($1, 'Old', 'self_hosted', '')`,
    [tenantId],
  )
  await logs.pool.query(
    `INSERT INTO projects (tenant_id, id, name, environment, is_default)
     VALUES ($1, $2, 'Default', 'production', true)`,
    [tenantId, newId()],
  )
  byKey = logs.callAs((await logs.addKey(tenantId, ['audit:read'])).key)
  const admin = await logs.addMember(tenantId, 'admin')
  byAdmin = admin.read
  email = admin.email
  for (let day = DAYS; day >= 1; day -= 1) await fillDay(day)
}, 3_600_000)
afterAll(async () => await logs.close(), 60_000)

/** A rare row of each kind is in the oldest day only. */
async function fillDay(day: number): Promise<void> {
  const from = TODAY - day * DAY_MS
  const suffix = new Date(from).toISOString().slice(0, 10).replaceAll('-', '')
  for (const table of ['audit_logs', 'auth_audit_logs'])
    await logs.pool.query(`CREATE TABLE IF NOT EXISTS ${table}_${suffix} PARTITION OF ${table}
      FOR VALUES FROM ('${idAt(from)}') TO ('${idAt(from + DAY_MS)}')`)
  const perDay = Math.ceil(ROWS / DAYS)
  const id = `(lpad(to_hex(($2::bigint + i::bigint * ${DAY_MS} / ${perDay + 1})::bigint), 12, '0') || '7'
    || lpad(to_hex(i % 4096), 3, '0') || '8' || substr(md5(i::text || $2), 1, 15))::uuid`
  const isRare = `($3::int = ${DAYS} AND i = 1)`
  await logs.pool.query(
    `INSERT INTO audit_logs (tenant_id, id, action, resource, resource_id, actor_type, actor_id,
       actor_name, actor_user_id, metadata, ip, user_agent, request_id, created_at)
     SELECT $1, ${id}, action, split_part(action, '.', 1), md5(i::text), 'api_key', actor, 'Deploy',
       actor, '{"changes": [{"field": "timeoutMs", "from": 30000, "to": 1000}]}', '203.0.113.9',
       'Mozilla/5.0 (X11; Linux x86_64)', md5(i::text), to_timestamp($2::bigint / 1000)
     FROM generate_series(1, ${perDay}) i, LATERAL (SELECT
       CASE WHEN ${isRare} THEN '${RARE}' ELSE ($4::text[])[1 + i % ${ACTIONS.length}] END AS action,
       CASE WHEN ${isRare} THEN $5::uuid ELSE ($6::uuid[])[1 + i % ${ACTORS.length}] END AS actor
     ) of_row`,
    [tenantId, from, day, ACTIONS, RARE_ACTOR, ACTORS],
  )
  await logs.pool.query(
    `INSERT INTO auth_audit_logs
       (id, tenant_id, event, user_id, subject, ip, user_agent, created_at)
     SELECT ${id}, $1, CASE WHEN ${isRare} THEN 'mfa.recovery.fail' ELSE
         CASE WHEN i % 3 = 0 THEN 'password.login.fail' ELSE 'password.login.success' END END,
       NULL, CASE WHEN ${isRare} THEN $4 ELSE i % 1000 || '@example.com' END, '203.0.113.9',
       'Mozilla/5.0 (X11; Linux x86_64)', to_timestamp($2::bigint / 1000)
     FROM generate_series(1, ${perDay}) i`,
    [tenantId, from, day, email],
  )
  // As autovacuum does, which leaves the partitioned tables themselves alone.
  if (MEASURED_ROWS > 0)
    await logs.pool.query(`VACUUM ANALYZE audit_logs_${suffix}, auth_audit_logs_${suffix}`)
}

const AUDIT_FILTERS = [
  '',
  'resource=endpoint',
  'action=endpoint.pause',
  'action=event.',
  `action=${RARE}`,
  'resource=no_such',
  `actor=${ACTORS[3]}`,
  `actor=${RARE_ACTOR}`,
  `actor=${ACTORS[3]}&resource=event`,
  'actor=system',
]
const AUTH_FILTERS = [
  '',
  'event=password.',
  'event=password.login.fail',
  'event=mfa.recovery.',
  'event=sso.',
  'subject=7%40example.com',
  'subject=nobody%40example.com',
  'subject=7%40example.com&event=password.',
  'subject=nobody%40example.com&event=password.',
]

test('each filter finds its rows, the oldest too', async () => {
  for (const filter of [`action=${RARE}`, `actor=${RARE_ACTOR}`, 'action=retention.']) {
    const { body } = await byKey(`/audit-logs?${filter}`)
    expect([filter, body.data.map(({ action }: { action: string }) => action)]).toEqual([
      filter,
      [RARE],
    ])
  }
  for (const filter of ['event=mfa.recovery.', `subject=${encodeURIComponent(email)}`]) {
    const { body } = await byAdmin(`/auth-audit?${filter}`)
    expect([filter, body.data.length]).toEqual([filter, 1])
  }
})

const uuid = ACTORS[0] as string
const names = AUTH_EVENTS.filter((name) => name.startsWith('password.'))
const STATEMENTS: [string, () => LogStatement, RegExp[]][] = [
  ['all', () => auditLogStatement(tenantId, {}, 'any'), []],
  [
    'resource',
    () => auditLogStatement(tenantId, { resource: 'endpoint' }, 'any'),
    [/\(resource =/],
  ],
  ['action', () => auditLogStatement(tenantId, { action: RARE }, 'any'), [/\(action =/]],
  [
    'actor',
    () => auditLogStatement(tenantId, {}, { id: uuid }),
    [/\(actor_id =/, /\(actor_user_id =/],
  ],
  ['system', () => auditLogStatement(tenantId, {}, 'system'), [/\(actor_id IS NULL/]],
  ['all sign-ins', () => authAuditStatement(tenantId, undefined, undefined), []],
  [
    'events',
    () => authAuditStatement(tenantId, names, undefined),
    [/ROW\(event, id\) >= ROW\(asked/],
  ],
  ['subject', () => authAuditStatement(tenantId, undefined, email), [/\(subject =/]],
]

// The tables are small: the planner is tempted, and a plan is kept for as long as its connection.
// Over many rows of one workspace alone the planner knows that its id says nothing.
if (MEASURED_ROWS === 0)
  test.each(STATEMENTS)(
    '%s: read backwards along its index, in either plan',
    async (_, make, columns) => {
      const { text, values } = make()
      const [from, before] = [idAt(TODAY - 31 * DAY_MS), idAt(TODAY)]
      const client = await logs.pool.connect()
      try {
        const recent = await client.query(`EXPLAIN ${text(`'${from}'`, `'${before}'`, '21')}`, [
          ...values,
        ])
        await client.query('SET plan_cache_mode = force_generic_plan')
        const n = values.length
        const types = values.map((value) => (Array.isArray(value) ? 'text[]' : 'unknown'))
        const prepared = text(`$${n + 1}`, `$${n + 2}`, `$${n + 3}`)
        await client.query(
          `PREPARE older (${[...types, 'uuid', 'uuid', 'bigint'].join(', ')}) AS ${prepared}`,
        )
        const literals = values.map((value) =>
          Array.isArray(value) ? `'{${value.join(',')}}'` : `'${String(value)}'`,
        )
        const older = await client.query(
          `EXPLAIN EXECUTE older (${[...literals, `'${from}'`, `'${before}'`, '21'].join(', ')})`,
        )
        for (const { rows } of [recent, older]) {
          const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
          expect(plan).not.toContain('Seq Scan on a')
          expect(plan).not.toMatch(/Bitmap/)
          const conditions = plan.split('\n').filter((line) => line.includes('Index Cond'))
          expect(conditions.length).toBeGreaterThan(0)
          for (const line of conditions) expect(line).toMatch(/\(tenant_id = /)
          for (const column of columns)
            expect(conditions.some((line) => column.test(line))).toBe(true)
        }
      } finally {
        client.release(true)
      }
    },
  )

if (MEASURED_ROWS > 0)
  test('every page within 50 ms at the 99th percentile', async () => {
    const lists: [string, ReadLog, string[]][] = [
      ['/audit-logs', byKey, AUDIT_FILTERS],
      ['/auth-audit', byAdmin, AUTH_FILTERS],
    ]
    for (const [path, read, filters] of lists) {
      const all: number[] = []
      for (const filter of filters) {
        const took: number[] = []
        for (let round = 0; round < 60; round += 1) {
          // From anywhere in the year, and the newest page.
          const to = new Date(TODAY - Math.floor((round / 60) * DAYS) * DAY_MS).toISOString()
          const span = round % 2 === 0 ? '' : `&to=${to}`
          const startedAt = performance.now()
          const { status } = await read(`${path}?${filter}${span}`)
          took.push(performance.now() - startedAt)
          expect(status).toBe(200)
        }
        // The first one of a statement plans it, once for each connection.
        all.push(...took.slice(4))
        process.stderr.write(`${path}?${filter}: ${percentiles(took)}\n`)
      }
      process.stderr.write(`${path}, all after the first four of each: ${percentiles(all)}\n`)
      expect(all.sort((a, b) => a - b)[Math.floor(all.length * 0.99)]).toBeLessThan(50)
    }
  }, 600_000)

function percentiles(took: readonly number[]): string {
  const sorted = [...took].sort((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(0.9999)} ms`
}
