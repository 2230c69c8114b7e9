/** Who reads rollups while folding is behind gets them as they are by then. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readWaiting } from '@posthorn/store/alerting/queue-depth'
import { acceptEvents } from '@posthorn/store/pipeline/accept-events'
import { recordAttempts } from '@posthorn/store/pipeline/record-attempts'
import { foldOutbox } from '@posthorn/store/rollups/fold-outbox'
import { readWindows } from '@posthorn/store/rollups/read-window'
import { acceptDirect, attemptOf, directEvent, makeTenant } from '@posthorn/store/store.fixture'
import { eventually } from '@posthorn/testing/eventually'
import { type InsightsTenant, startTestInsights, type TestInsights } from '../insights.fixture.ts'
import { createEvaluateRules } from '../rules/evaluate-rules.ts'
import { createPreviewRule } from '../rules/preview-rule.ts'
import { createFolding, type Folding } from './fold-rollups.ts'

let insights: TestInsights
beforeAll(async () => {
  insights = await startTestInsights({}, (pool) => foldingOnRead(pool))
})
afterAll(async () => await insights.close())

/** As if it were always behind. */
function foldingOnRead(pool: TestInsights['pool']): Folding {
  return {
    service: { name: 'rollups', start: async () => {}, stop: async () => {} },
    isBehind: () => true,
    catchUp: async (tenantIds) => void (await foldOutbox(pool, { tenantIds }, 1_000)),
  }
}

const silent = {
  clock: { now: Date.now },
  log: { warn: () => {} },
  metrics: { count: () => {}, set: () => {} },
}

async function rowsOf(tenantId: string): Promise<number> {
  const { rows } = await insights.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM rollup_outbox WHERE tenant_id = $1',
    [tenantId],
  )
  return rows[0]?.n ?? 0
}

/** A tenant with an attempt that failed, which stands in the outbox. */
async function addBehind(): Promise<InsightsTenant> {
  const tenant = await insights.addTenant()
  const [work] = await acceptDirect(insights.pool, tenant, 1)
  if (work === undefined) throw new Error('none')
  await recordAttempts(insights.pool, [
    attemptOf(work, { state: 'dead', reason: 'attempts used up' }, { error: 'timeout: 1 ms' }),
  ])
  expect(await rowsOf(tenant.tenantId)).toBe(2)
  return tenant
}

describe('what is read is folded before', () => {
  test('analytics', async () => {
    const tenant = await addBehind()
    const { body } = await tenant.get('/analytics/summary')
    expect(body.data.at(-1)).toMatchObject({ sent: 1, failed: 1, deadLettered: 1 })
  })

  test('the health of endpoints', async () => {
    const tenant = await addBehind()
    expect((await tenant.get('/analytics/endpoint-health')).status).toBe(200)
    expect(await rowsOf(tenant.tenantId)).toBe(0)
  })

  test('live stats', async () => {
    const tenant = await addBehind()
    expect((await tenant.get('/stats')).body).toMatchObject({ dead: 1 })
    expect(await rowsOf(tenant.tenantId)).toBe(0)
  })

  test('what rules are evaluated by, when they are due and when it is asked for', async () => {
    const { pool } = insights
    const rules = createEvaluateRules(
      { defaultPlan: 'self_hosted' },
      { pool, rollups: foldingOnRead(pool), readWindows, readWaiting },
    )
    const addRule = async ({ tenantId, projectId }: InsightsTenant): Promise<void> =>
      void (await pool.query(
        `INSERT INTO alert_rules (tenant_id, id, project_id, name, metric, operator, threshold,
          window_text, window_ms, cooldown_text, cooldown_ms, connector_name, enabled, next_eval_at)
         VALUES ($1, gen_random_uuid(), $2, 'R', 'failure_rate', 'gt', 50, '5m', 300000, '1m',
          60000, 'none', true, now())`,
        [tenantId, projectId],
      ))
    const due = await addBehind()
    await addRule(due)
    expect(await rules.evaluateDue()).toEqual({ taken: 1, evaluated: 1 })
    expect(await rowsOf(due.tenantId)).toBe(0)
    const asked = await addBehind()
    await addRule(asked)
    const [evaluated] = await rules.evaluateAll({ ...asked })
    expect(evaluated?.value).toBe(100)
  })

  test('what a rule is previewed by', async () => {
    const { pool } = insights
    const tenant = await addBehind()
    const preview = createPreviewRule({
      pool,
      rollups: foldingOnRead(pool),
      readWindows,
      now: Date.now,
    })
    const condition = { metric: 'failure_rate', operator: 'gt', value: 50, window: '5m' }
    const { firings } = await (preview as (request: unknown) => Promise<{ firings: unknown[] }>)({
      caller: tenant,
      body: { condition, hours: 1 },
    })
    expect(firings).toHaveLength(1)
  })
})

test('while a sweep is long, only tenants that are read are folded at once', async () => {
  const { pool } = insights
  await pool.query('DELETE FROM rollup_outbox')
  const folding = createFolding({ pool, ...silent }, 1)
  const read = await addBehind()
  await folding.catchUp([read.tenantId])
  expect(await rowsOf(read.tenantId)).toBe(2)

  const others = await Promise.all(Array.from({ length: 60 }, () => makeTenant(pool)))
  await acceptEvents(
    pool,
    others.map((other) => directEvent(other)),
  )
  await pool.query(`UPDATE rollup_outbox SET created_at = now() - interval '10 s'`)
  await folding.service.start()
  try {
    await eventually(async () => expect(folding.isBehind()).toBe(true))
    await Promise.all([folding.catchUp([read.tenantId]), folding.catchUp([read.tenantId])])
    expect(await rowsOf(read.tenantId)).toBe(0)
    const left = await Promise.all(others.map(({ tenantId }) => rowsOf(tenantId)))
    expect(left.filter((rows) => rows > 0).length).toBeGreaterThan(0)
  } finally {
    await folding.service.stop(1_000)
  }
})
