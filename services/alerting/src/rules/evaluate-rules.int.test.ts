/** Rules evaluated over rollups, on real rows: who is told what, and how often. */
import { beforeEach, describe, expect, test } from '@jest/globals'
import { readWaiting } from '@posthorn/store/alerting/queue-depth'
import { readWindows } from '@posthorn/store/rollups/read-window'
import { newId } from '@posthorn/domain/ids'
import { alerting, type Json, setCounts, tenant, useAlerting } from '../alerting.fixture.ts'
import { createEvaluateRules } from './evaluate-rules.ts'
import {
  evaluate,
  evaluator,
  history,
  makeRule,
  pass,
  settle,
  statuses,
  UP_TO_DATE,
} from './rules.fixture.ts'

useAlerting()

describe('a rule on a rate', () => {
  test('fires once, once more a cooldown, and resolves once', async () => {
    const rule = await makeRule('failure_rate gt 50')
    await setCounts(tenant, { succeeded: 3, failed: 5 })
    expect(await evaluate()).toEqual({
      evaluated: 1,
      firing: 1,
      results: [{ ruleId: rule.id, value: 62.5, matched: true, state: 'firing' }],
    })
    await settle('sent')
    await evaluate()
    expect(statuses(await history())).toEqual(['firing'])
    await pass(5)
    await evaluate()
    await evaluate()
    expect(statuses(await history())).toEqual(['firing', 'firing'])
    await settle('sent')
    await setCounts(tenant, { succeeded: 5, failed: 5 })
    expect((await evaluate()).firing).toBe(0)
    await evaluate()
    const rows = await history()
    expect(statuses(rows)).toEqual(['firing', 'firing', 'resolved'])
    expect(rows[0]).toEqual({
      id: expect.any(String),
      ruleId: rule.id,
      ruleName: 'failure_rate gt 50',
      status: 'resolved',
      value: 50,
      threshold: 50,
      at: expect.stringMatching(/Z$/),
      delivery: 'pending',
      attempts: 0,
      error: null,
    })
    expect(await tenant.call('GET', `/alerting/rules/${rule.id}`)).toMatchObject({
      body: { state: 'ok', lastValue: 50, lastEvaluatedAt: expect.any(String) },
    })
  })

  test('that fires again within the cooldown tells it when that ends, and else nothing', async () => {
    await makeRule('failure_rate gt 50')
    const set = async (failed: number): Promise<void> => {
      await setCounts(tenant, { succeeded: 4, failed })
      await evaluate()
      await settle('sent')
    }
    for (const failed of [5, 1, 5, 1, 5, 1]) await set(failed)
    expect(statuses(await history())).toEqual(['firing', 'resolved'])
    await set(5)
    await pass(5)
    await set(5)
    expect(statuses(await history())).toEqual(['firing', 'resolved', 'firing'])
  })

  test('of which nobody could be told does not tell that it resolved', async () => {
    await makeRule('failure_rate gt 50')
    await setCounts(tenant, { succeeded: 0, failed: 5 })
    await evaluate()
    await settle('failed')
    await setCounts(tenant, { succeeded: 5, failed: 0 })
    await evaluate()
    expect(statuses(await history())).toEqual(['firing'])
  })

  test('resolves without a value when there is no data any more', async () => {
    await makeRule('failure_rate gt 50')
    await setCounts(tenant, { succeeded: 0, failed: 5 })
    await evaluate()
    await settle('sent')
    await setCounts(tenant, { succeeded: 0, failed: 0 })
    expect((await evaluate()).results).toMatchObject([{ value: null, state: 'ok' }])
    expect((await history())[0]).toMatchObject({ status: 'resolved', value: null })
  })
})

test('the alarm for silence of one endpoint ends when the endpoint is deleted', async () => {
  const endpointId = newId()
  await alerting.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
      VALUES ($1, $2, $3, 'active', 1, '{}')`,
    [tenant.tenantId, endpointId, tenant.projectId],
  )
  await makeRule('delivery_count lt 1', { endpointId })
  expect((await evaluate()).results).toMatchObject([{ value: 0, state: 'firing' }])
  await settle('sent')
  await alerting.pool.query('UPDATE endpoints SET deleted_at = now() WHERE id = $1', [endpointId])
  expect((await evaluate()).results).toMatchObject([{ value: null, state: 'ok' }])
  expect(statuses(await history())).toEqual(['firing', 'resolved'])
})

test('without deliveries, rates and latencies are silent, and the alarm for silence fires', async () => {
  for (const text of ['failure_rate gt 0', 'success_rate lt 100', 'latency gt 0']) {
    await makeRule(text)
  }
  const silence = await makeRule('delivery_count lt 1')
  await makeRule('error_count gt 0')
  await makeRule('queue_depth gt 0')
  const { evaluated, firing, results } = await evaluate()
  expect([evaluated, firing]).toEqual([6, 1])
  expect(results).toContainEqual({ ruleId: silence.id, value: 0, matched: true, state: 'firing' })
  await settle('sent')
  await setCounts(tenant, { succeeded: 1, failed: 0 })
  await evaluate()
  expect(statuses(await history())).toEqual(['firing', 'resolved'])
})

test('queue_depth counts what waits for the workspace, its project or an endpoint', async () => {
  const { tenantId, projectId } = tenant
  const endpointId = newId()
  await alerting.pool.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
      VALUES ($1, $2, $3, 'active', 1, '{}')`,
    [tenantId, endpointId, projectId],
  )
  await alerting.pool.query(
    `INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id)
      SELECT $1, t, 5, n, gen_random_uuid(), gen_random_uuid()
      FROM generate_series(1, 3) n, unnest(ARRAY[$2, gen_random_uuid()]) t`,
    [tenantId, endpointId],
  )
  await alerting.pool.query(
    `INSERT INTO due (tenant_id, id, kind, due_at, leased, target_id)
      VALUES ($1, gen_random_uuid(), 1, now(), true, $2),
        ($1, gen_random_uuid(), 0, now(), true, NULL), ($1, $2, 2, now(), true, $2)`,
    [tenantId, endpointId],
  )
  const scope = { tenantId, projectId: null, endpointId: null }
  const scopes = [scope, { ...scope, projectId }, { ...scope, endpointId }]
  expect(await readWaiting(alerting.pool, scopes)).toEqual([8, 4, 4])
  await makeRule('queue_depth eq 4', { endpointId })
  expect((await evaluate()).results).toMatchObject([{ value: 4, state: 'firing' }])
})

describe('whoever changes a rule that fires', () => {
  async function firing(): Promise<Json> {
    const rule = await makeRule('failure_rate gt 50')
    await setCounts(tenant, { succeeded: 0, failed: 5 })
    await evaluate()
    await settle('sent')
    return rule
  }

  test.each([
    ['edits it', 'PUT', '', { cooldown: '1h' }],
    ['disables it', 'POST', '/disable', undefined],
    ['deletes it', 'DELETE', '', undefined],
  ])('and %s ends its episode', async (_, method, path, body) => {
    const rule = await firing()
    const answer = await tenant.call(method, `/alerting/rules/${rule.id}${path}`, body)
    expect(answer.status).toBe(method === 'DELETE' ? 204 : 200)
    if (method !== 'DELETE') expect(answer.body.state).toBe('ok')
    expect(await history(`?ruleId=${rule.id}`)).toMatchObject([
      { status: 'resolved', value: null },
      { status: 'firing' },
    ])
  })

  test('and enables it again has it start in ok', async () => {
    const rule = await firing()
    await tenant.call('POST', `/alerting/rules/${rule.id}/disable`)
    expect(await evaluate()).toEqual({ evaluated: 0, firing: 0, results: [] })
    const enabled = await tenant.call('POST', `/alerting/rules/${rule.id}/enable`)
    expect(enabled.body).toMatchObject({ state: 'ok', lastValue: null })
    await evaluate()
    expect(statuses(await history())).toEqual(['firing', 'resolved', 'firing'])
  })

  test('and where it goes closes the incident where it was opened', async () => {
    const rule = await firing()
    const { rows } = await alerting.pool.query('SELECT action FROM alert_rules WHERE id = $1', [
      rule.id,
    ])
    const action = { type: 'pagerduty', routingKey: 'another-routing-key' }
    await tenant.call('PUT', `/alerting/rules/${rule.id}`, { action })
    const waiting = await alerting.pool.query(
      "SELECT action, alert ->> 'episode' AS episode FROM alert_notifications WHERE rule_id = $1",
      [rule.id],
    )
    expect(waiting.rows).toEqual([{ action: rows[0].action, episode: '1' }])
  })
})

describe('after a change to a plan without alerting', () => {
  // Those of the tests above must not come due.
  beforeEach(async () => {
    await alerting.pool.query("UPDATE alert_rules SET next_eval_at = now() + interval '1 hour'")
  })

  const change = (plan: string): Promise<unknown> =>
    alerting.pool.query('UPDATE subscriptions SET plan = $2 WHERE tenant_id = $1', [
      tenant.tenantId,
      plan,
    ])
  const makeDue = (): Promise<unknown> =>
    alerting.pool.query('UPDATE alert_rules SET next_eval_at = now() WHERE tenant_id = $1', [
      tenant.tenantId,
    ])

  test('rules are not evaluated, and go on where they stood after a change back', async () => {
    await makeRule('failure_rate gt 50')
    await setCounts(tenant, { succeeded: 0, failed: 5 })
    await change('free')
    expect(await evaluator().evaluateDue()).toEqual({ taken: 1, evaluated: 0 })
    expect(await evaluator().evaluateDue()).toEqual({ taken: 0, evaluated: 0 })
    await change('starter')
    expect(await history()).toEqual([])
    await makeDue()
    expect(await evaluator().evaluateDue()).toEqual({ taken: 1, evaluated: 1 })
    await settle('sent')
    await change('free')
    await setCounts(tenant, { succeeded: 5, failed: 0 })
    await makeDue()
    await evaluator().evaluateDue()
    await change('starter')
    expect(statuses(await history())).toEqual(['firing'])
    await makeDue()
    await evaluator().evaluateDue()
    expect(statuses(await history())).toEqual(['firing', 'resolved'])
  })

  test('the plan of a workspace without a subscription is that of the installation', async () => {
    await makeRule('delivery_count lt 1')
    await alerting.pool.query('DELETE FROM subscriptions WHERE tenant_id = $1', [tenant.tenantId])
    const { pool } = alerting
    const free = createEvaluateRules(
      { defaultPlan: 'free' },
      { pool, rollups: UP_TO_DATE, readWindows, readWaiting },
    )
    expect(await free.evaluateDue()).toEqual({ taken: 1, evaluated: 0 })
    await makeDue()
    expect(await evaluator().evaluateDue()).toEqual({ taken: 1, evaluated: 1 })
  })
})

test('history is paged, newest first, and outlives its rule', async () => {
  const rule = await makeRule('delivery_count lt 1')
  for (let round = 0; round < 3; round += 1) {
    await evaluate()
    await pass(5)
  }
  await tenant.call('DELETE', `/alerting/rules/${rule.id}`)
  const first = (await tenant.call('GET', '/alerting/history?limit=2')).body
  expect(first.pagination.hasMore).toBe(true)
  const cursor = encodeURIComponent(first.pagination.cursor)
  const second = (await tenant.call('GET', `/alerting/history?limit=2&cursor=${cursor}`)).body
  const ids = [...first.data, ...second.data].map(({ id }) => id)
  expect(ids).toEqual([...ids].sort().reverse())
  expect(ids).toHaveLength(4)
  expect(await history(`?ruleId=${rule.id}`)).toHaveLength(4)
  for (const ruleId of [newId(), 'none']) expect(await history(`?ruleId=${ruleId}`)).toEqual([])
  expect((await tenant.call('GET', '/alerting/history?limit=200')).status).toBe(200)
  expect((await tenant.call('GET', '/alerting/history?limit=201')).status).toBe(400)
})

test('a preview shows when it would have fired', async () => {
  await setCounts(tenant, { succeeded: 2, failed: 6 })
  const condition = { metric: 'failure_rate', operator: 'gt', value: 50, window: '5m' }
  const preview = (body: object) => tenant.call('POST', '/alerting/rules/preview', body)
  const found = await preview({ condition, hours: 1 })
  expect(found).toMatchObject({ status: 200, body: { firings: [{ peak: 75 }] } })
  expect((await preview({ condition: 'failure_rate > 50 over 5m', hours: 1 })).body).toMatchObject({
    firings: [{ peak: 75 }],
  })
  expect((await preview({ condition: { ...condition, value: 80 } })).body).toEqual({ firings: [] })
  for (const [body, path] of [
    [{ condition, hours: 169 }, 'hours'],
    [{ condition, hours: 0 }, 'hours'],
    [{ condition: 'failure_rate >', hours: 1 }, 'condition'],
    [{ condition: { ...condition, metric: 'queue_depth' } }, 'condition.metric'],
    [{ condition, endpointId: newId() }, 'endpointId'],
  ] as const) {
    expect(await preview(body)).toMatchObject({ status: 400, body: { details: [{ path }] } })
  }
  const week = await preview({ condition: { ...condition, window: '720h' }, hours: 168 })
  expect(week.status).toBe(200)
})
