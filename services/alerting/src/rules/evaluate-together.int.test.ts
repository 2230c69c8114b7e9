/** Many evaluations at once, by several instances or of one workspace. */
import { expect, test } from '@jest/globals'
import { openPool } from '@posthorn/store/pool'
import { alerting, setCounts, tenant, useAlerting } from '../alerting.fixture.ts'
import { evaluator, makeRule, settle } from './rules.fixture.ts'

useAlerting()

test('three evaluators, one of them stopped in each round, tell each thing once', async () => {
  const RULES = 40
  for (let index = 0; index < RULES; index += 1) await makeRule('failure_rate gt 50')
  await setCounts(tenant, { succeeded: 0, failed: 5 })
  const [a, b, c] = [1, 2, 3].map(() =>
    openPool({ url: alerting.databaseUrl, max: 4, name: 'evaluator', onError: () => {} }),
  )
  const pools = [a, b, c] as NonNullable<typeof a>[]
  const healthy = pools.map((pool) => evaluator({ pool }))
  /** Stops after it has taken its rules, as a process that is killed does. */
  const killed = pools.map((pool) =>
    evaluator({ pool, readWindows: () => Promise.reject(new Error('killed')) }),
  )
  const due = (): Promise<unknown> =>
    alerting.pool.query('UPDATE alert_rules SET next_eval_at = now() WHERE tenant_id = $1', [
      tenant.tenantId,
    ])
  let stopped = 0
  for (let round = 0; round < 6; round += 1) {
    if (round === 3) {
      await settle('sent')
      await setCounts(tenant, { succeeded: 5, failed: 0 })
    }
    await due()
    const dying = round % 3
    const results = await Promise.allSettled(
      pools.map((_, index) => (index === dying ? killed : healthy)[index]?.evaluateDue()),
    )
    stopped += results.filter(({ status }) => status === 'rejected').length
    // What the one that was stopped had taken is taken by another.
    while (((await healthy[(dying + 1) % 3]?.evaluateDue())?.taken ?? 0) > 0);
  }
  await Promise.all(pools.map((pool) => pool.end()))
  const { rows } = await alerting.pool.query(
    `SELECT status, count(*)::int AS n, count(DISTINCT (rule_id, episode))::int AS distinct_n
      FROM alert_history WHERE tenant_id = $1 GROUP BY status ORDER BY status`,
    [tenant.tenantId],
  )
  expect(rows).toEqual([
    { status: 'firing', n: RULES, distinct_n: RULES },
    { status: 'resolved', n: RULES, distinct_n: RULES },
  ])
  expect(stopped).toBeGreaterThan(0)
}, 30_000)

test('what is due is evaluated once by all instances together', async () => {
  // Those of the tests above come due again.
  await alerting.pool.query('UPDATE alert_rules SET enabled = false')
  for (let index = 0; index < 30; index += 1) await makeRule('delivery_count lt 1')
  const rounds = await Promise.all([1, 2, 3, 4].map(() => evaluator().evaluateDue()))
  expect(rounds.reduce((sum, { evaluated }) => sum + evaluated, 0)).toBe(30)
  expect(await evaluator().evaluateDue()).toEqual({ taken: 0, evaluated: 0 })
})

test('an evaluation needs one connection, so that many at once do not wait for each other', async () => {
  await makeRule('failure_rate gt 50')
  await makeRule('queue_depth gt 5')
  const pool = openPool({ url: alerting.databaseUrl, max: 1, name: 'one', onError: () => {} })
  const scope = { tenantId: tenant.tenantId, projectId: null }
  const rounds = await Promise.all([1, 2].map(() => evaluator({ pool }).evaluateAll(scope)))
  await pool.end()
  expect(rounds.map((rules) => rules.length)).toEqual([2, 2])
})

test('of many evaluations that a workspace asks for at once, most are refused', async () => {
  await makeRule('failure_rate gt 50')
  const asked = Array.from({ length: 12 }, () => tenant.call('POST', '/alerting/evaluate'))
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect((await tenant.call('POST', '/alerting/evaluate')).status).toBe(200)
})
