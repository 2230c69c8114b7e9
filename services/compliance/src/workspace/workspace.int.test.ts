/** Export and deletion of whole workspaces. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { acceptEvents } from '@posthorn/store/pipeline/accept-events'
import { directEvent } from '@posthorn/store/store.fixture'
import { sealedAt } from '@posthorn/store/seal'
import {
  type Json,
  startTestCompliance,
  type TestCompliance,
  type Workspace,
} from '../compliance.fixture.ts'
import { dump, plant, PLACES } from '../subject-jobs/planted.fixture.ts'

let compliance: TestCompliance
beforeAll(async () => {
  compliance = await startTestCompliance()
})
afterAll(async () => {
  await compliance.close()
})

/** One row, or some, in every table that has a `tenant_id`. */
async function fill(workspace: Workspace): Promise<void> {
  const { pool, seal } = compliance
  const { tenantId, projectId } = workspace
  for (const place of PLACES) await plant({ pool, tenantId, projectId }, place, 'nobody')
  await acceptEvents(pool, [directEvent(workspace)])
  const endpointId = newId()
  await pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config, signing_secret)
     VALUES ($1, $2, $3, 'active', 1, '{"url":"https://kept.example/"}', $4)`,
    [
      tenantId,
      endpointId,
      projectId,
      seal.seal('planted-secret', sealedAt('endpoints.signing_secret', tenantId, endpointId)),
    ],
  )
  await pool.query(
    `INSERT INTO sso_connections (tenant_id, id, type, name, slug, config)
     VALUES ($1, $2, 'oidc', 'Sso', 'sso', jsonb_build_object('secret', $3::text))`,
    [tenantId, newId(), 's2:0a1b2c3d:cGxhbnRlZC1zZWNyZXQ='],
  )
  for (const statement of [
    `INSERT INTO retention_settings (tenant_id) VALUES ($1)`,
    `INSERT INTO parked VALUES ($1, gen_random_uuid(), 5, 1, gen_random_uuid(), gen_random_uuid())`,
    `INSERT INTO backlogs (tenant_id, target_id) VALUES ($1, gen_random_uuid())`,
    `INSERT INTO lanes (tenant_id, endpoint_id, lane, tail) VALUES ($1, gen_random_uuid(), '', 1)`,
    `INSERT INTO subscriptions (tenant_id, plan, cycle, status)
     VALUES ($1, 'scale', 'monthly', 'active')`,
    `INSERT INTO usage_days (tenant_id, day, process, events) VALUES ($1, '2026-11-22', '', 1)`,
    `INSERT INTO mails (id, tenant_id, recipient, kind, data)
     VALUES (gen_random_uuid(), $1, 'a@b.example', 'invite', '{"token":"planted-secret"}')`,
    `INSERT INTO invitations (tenant_id, id, email, role, token_hash, invited_by, expires_at)
     VALUES ($1, gen_random_uuid(), 'a@b.example', 'viewer',
       sha256(gen_random_uuid()::text::bytea), 'x', now())`,
  ])
    await pool.query(statement, [tenantId])
}

async function rowsOf(tenantIds: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const [name, rows] of await dump(compliance.pool))
    for (const row of rows) if (tenantIds.some((id) => row.includes(id))) found.push(name)
  return found.toSorted()
}

describe('a workspace', () => {
  let workspace: Workspace
  let child: Workspace
  let other: Workspace
  beforeAll(async () => {
    workspace = await compliance.addWorkspace()
    child = await compliance.addWorkspace(workspace.tenantId)
    other = await compliance.addWorkspace()
    for (const each of [workspace, child, other]) await fill(each)
  })

  test('is exported whole, without secrets and without others', async () => {
    const call = await workspace.callAs('admin')
    const { status, body } = await call('GET', '/gdpr/export')
    expect(status).toBe(200)
    expect(body).toMatchObject({ schema_version: 1, client_id: workspace.tenantId })
    const of = (rows: Json[]): Set<string> => new Set(rows.map((row) => row.tenant_id))
    const both = new Set([workspace.tenantId, child.tenantId])
    for (const name of ['events', 'deliveries', 'attempts', 'endpoints', 'audit_logs'])
      expect({ name, of: of(body[name]) }).toEqual({ name, of: both })
    expect(body.clients).toHaveLength(2)
    expect(body.members[0].email).toContain('@members.example')
    const text = JSON.stringify(body)
    for (const secret of ['planted-secret', 's2:', other.tenantId, 'token_hash', 'key_hash'])
      expect({ secret, found: text.includes(secret) }).toEqual({ secret, found: false })
    const { rows } = await compliance.pool.query(
      'SELECT count(*)::int AS count FROM events WHERE tenant_id = ANY ($1::uuid[])',
      [[...both]],
    )
    expect(body.events).toHaveLength(rows[0].count)
  })

  test('is deleted only by its name', async () => {
    const call = await workspace.callAs('admin')
    for (const body of [{}, { confirm: other.name }, { confirm: '' }])
      expect((await call('DELETE', '/gdpr/data', body)).status).toBe(400)
    expect((await call('GET', '/me/retention')).status).toBe(200)
  })

  test('once deleted is refused at once, and nothing is left but the job and its audit row', async () => {
    const before = await rowsOf([other.tenantId])
    const call = await workspace.callAs('admin')
    const others = await workspace.callAs('viewer')
    const answer = await call('DELETE', '/gdpr/data', { confirm: workspace.name })
    expect(answer).toMatchObject({
      status: 202,
      body: { kind: 'workspace_deletion', status: 'queued', subjectEmail: null },
    })
    for (const refused of [call, others, workspace.byKey, child.byKey])
      expect((await refused('GET', '/me/retention')).status).toBe(401)
    expect(compliance.changes.map(({ tenantId }) => tenantId).toSorted()).toEqual(
      [workspace.tenantId, child.tenantId].toSorted(),
    )
    await compliance.runJobs()
    expect(await rowsOf([workspace.tenantId, child.tenantId])).toEqual([
      expect.stringMatching(/^auth_audit_logs_/),
      'subject_jobs',
    ])
    expect(await rowsOf([other.tenantId])).toEqual(before)
    const { rows } = await compliance.pool.query(
      `SELECT j.status, a.event FROM subject_jobs j JOIN auth_audit_logs a
         ON a.tenant_id = j.tenant_id AND a.metadata ->> 'job_id' = j.id::text
       WHERE j.tenant_id = $1`,
      [workspace.tenantId],
    )
    expect(rows).toEqual([{ status: 'completed', event: 'gdpr.workspace_deletion.completed' }])
    // Members of no other workspace went with it.
    const { rows: users } = await compliance.pool.query(
      `SELECT count(*)::int AS count FROM users u
       WHERE NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)`,
    )
    expect(users[0].count).toBe(0)
  })
})
