/** The worker that sends, on real rows, with targets that a test makes answer as it likes. */
import { afterEach, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { eventually } from '@posthorn/testing/eventually'
import {
  alerting,
  type AlertingTenant,
  type Json,
  SENT,
  setCounts,
  tenant,
  useAlerting,
} from '../alerting.fixture.ts'
import type { TargetResult } from '../targets/target.ts'
import { createCompose } from './compose.ts'
import { createDeliver } from './deliver.ts'
import {
  createNotificationWorker,
  MAX_RETRIES,
  type NotificationWorker,
} from './notification-worker.ts'
import { renderText } from './templates.ts'

useAlerting()

const DOWN: TargetResult = {
  outcome: 'retry',
  statusCode: 503,
  error: 'answered 503',
  retryAfterMs: null,
}

let workers: NotificationWorker[] = []
let counted: string[] = []
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop(1_000)))
  workers = []
  counted = []
  await alerting.pool.query('DELETE FROM alert_notifications')
  await alerting.pool.query('DELETE FROM notification_targets')
})

function startWorker(): NotificationWorker {
  const { pool, seal } = alerting
  const log = { info: () => {}, warn: () => {} }
  const worker = createNotificationWorker({
    pool,
    deliver: createDeliver(
      { defaultPlan: 'self_hosted' },
      {
        pool,
        seal,
        log,
        compose: createCompose({ brand: 'Service', render: renderText }),
        async send(target, notification, { tenantId }) {
          const sent = { tenantId, target, notification }
          alerting.sent.push(sent)
          return await alerting.answer(sent)
        },
      },
    ),
    log,
    metrics: { count: (_name, labels) => void counted.push(Object.values(labels).join(' ')) },
    random: () => 0.5,
  })
  worker.start()
  workers.push(worker)
  return worker
}

async function makeRule(of: AlertingTenant, more: object = {}): Promise<Json> {
  const answer = await of.call('POST', '/alerting/rules', {
    name: 'Failures',
    condition: { metric: 'failure_rate', operator: 'gt', value: 50 },
    action: { type: 'webhook', webhookUrl: `https://example.com/${newId()}` },
    ...more,
  })
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 })
  return answer.body
}

async function fire(of: AlertingTenant = tenant): Promise<void> {
  await setCounts(of, { succeeded: 0, failed: 5 })
  expect((await of.call('POST', '/alerting/evaluate')).status).toBe(200)
}

async function resolve(of: AlertingTenant = tenant): Promise<void> {
  await setCounts(of, { succeeded: 5, failed: 0 })
  expect((await of.call('POST', '/alerting/evaluate')).status).toBe(200)
}

async function history(of: AlertingTenant = tenant): Promise<Json[]> {
  return (await of.call('GET', '/alerting/history')).body.data
}

async function historyWhen(isSo: (rows: Json[]) => boolean): Promise<Json[]> {
  return await eventually(async () => {
    const rows = await history()
    if (!isSo(rows)) throw new Error(`the history is ${JSON.stringify(rows)}`)
    return rows
  })
}

/** As if what waits had waited until now. */
async function makeDue(): Promise<void> {
  await alerting.pool.query('UPDATE alert_notifications SET due_at = now() WHERE due_at > now()')
  await alerting.pool.query('UPDATE notification_targets SET blocked_until = now()')
}

describe('what a rule notifies of', () => {
  test('is sent with the rule’s own message, firing first and then resolved', async () => {
    const rule = await makeRule(tenant, {
      action: {
        type: 'slack',
        webhookUrl: 'https://hooks.slack.com/services/x',
        message:
          '{{.rule}} {{.status}} {{.metric}} {{.operator}} {{.value}} {{.threshold}} {{.window}}',
      },
    })
    await fire()
    await resolve()
    startWorker()
    const rows = await historyWhen((all) => all.every(({ delivery }) => delivery === 'sent'))
    expect(rows).toMatchObject([
      { status: 'resolved', attempts: 1, error: null },
      { status: 'firing', attempts: 1, error: null },
    ])
    expect(alerting.sent.map(({ notification }) => notification)).toMatchObject([
      {
        title: '[FIRING] Failures',
        text: 'Failures firing failure_rate gt 100 50 5m',
        status: 'firing',
        dedupKey: `posthorn:${rule.id}:1`,
        id: rows[1].id,
      },
      {
        title: '[RESOLVED] Failures',
        text: 'Failures resolved failure_rate gt 0 50 5m',
        status: 'resolved',
        dedupKey: `posthorn:${rule.id}:1`,
      },
    ])
    await eventually(() => expect(counted).toEqual(['slack sent', 'slack sent']))
  })

  test('says what happened without a template, and when one fails', async () => {
    await makeRule(tenant, {
      action: {
        type: 'webhook',
        webhookUrl: 'https://example.com/a',
        message: '{{index .rule 99}}',
      },
    })
    await fire()
    startWorker()
    const [row] = await historyWhen(([first]) => first.delivery === 'sent')
    expect(row.error).toMatch(/the template of text failed: line 1/)
    expect(alerting.sent[0]?.notification.text).toBe('failure_rate is 100, > 50 over 5m')
  })

  test('goes by the connector that it names, with that one’s template', async () => {
    await tenant.call('POST', '/connectors', {
      name: 'ops',
      type: 'discord',
      config: { webhookUrl: 'https://discord.com/api/webhooks/1/x' },
      template: {
        title: '{{.event_type}}',
        text: '{{.rule}}: {{.payload.value}}',
        color: '#ff0000',
      },
    })
    await makeRule(tenant, { action: undefined, connectorName: 'ops' })
    await fire()
    startWorker()
    await historyWhen(([first]) => first.delivery === 'sent')
    expect(alerting.sent).toMatchObject([
      {
        target: { type: 'discord', config: { webhookUrl: 'https://discord.com/api/webhooks/1/x' } },
        notification: { title: 'alert.firing', text: 'Failures: 100', color: '#ff0000' },
      },
    ])
  })

  test('closes the incident where it was opened, though the rule was changed between', async () => {
    const action = { type: 'pagerduty', routingKey: 'first-routing-key', severity: 'critical' }
    const rule = await makeRule(tenant, { action })
    await fire()
    startWorker()
    await historyWhen(([first]) => first.delivery === 'sent')
    await tenant.call('PUT', `/alerting/rules/${rule.id}`, {
      action: { ...action, routingKey: 'second-routing-key' },
    })
    await historyWhen((all) => all.length === 2 && all.every(({ delivery }) => delivery === 'sent'))
    const [firing, resolved] = alerting.sent
    expect(firing).toMatchObject({
      target: { config: { routingKey: 'first-routing-key' } },
      notification: { severity: 'critical', status: 'firing' },
    })
    expect(resolved?.target).toEqual(firing?.target)
    expect(resolved?.notification).toMatchObject({
      status: 'resolved',
      dedupKey: firing?.notification.dedupKey,
    })
  })
})

test('a workspace whose plan has no alerting any more is told of no events', async () => {
  const { body } = await tenant.call('POST', '/connectors', {
    name: 'events',
    type: 'webhook',
    config: { url: 'https://example.com/in' },
    eventTypes: ['*'],
  })
  await alerting.pool.query("UPDATE subscriptions SET plan = 'free' WHERE tenant_id = $1", [
    tenant.tenantId,
  ])
  await alerting.pool.query(
    `INSERT INTO alert_notifications (tenant_id, id, target, due_at, connector_id, event_id)
      VALUES ($1, $2, $3, now(), $3, $2)`,
    [tenant.tenantId, newId(), body.id],
  )
  startWorker()
  await eventually(() => expect(counted).toEqual(['none dropped']))
  expect(alerting.sent).toEqual([])
})

describe('a target that does not take it', () => {
  test('is asked again five times, and what comes after waits', async () => {
    await makeRule(tenant)
    await fire()
    await resolve()
    alerting.answer = async () => DOWN
    startWorker()
    for (let attempt = 1; attempt <= MAX_RETRIES; attempt += 1) {
      const rows = await historyWhen(([, firing]) => firing.attempts === attempt)
      expect(rows[1]).toMatchObject({ delivery: 'pending', error: 'answered 503' })
      expect(rows[0]).toMatchObject({ status: 'resolved', delivery: 'pending', attempts: 0 })
      await makeDue()
    }
    const [resolved, firing] = await historyWhen((all) =>
      all.every(({ delivery }) => delivery === 'failed'),
    )
    expect(firing).toMatchObject({ attempts: MAX_RETRIES + 1, error: 'answered 503' })
    expect(resolved.error).toMatch(/could not be sent/)
    expect(alerting.sent.every(({ notification }) => notification.status === 'firing')).toBe(true)
  }, 30_000)

  test('for good is not asked again', async () => {
    await makeRule(tenant)
    await fire()
    alerting.answer = async () => ({ ...DOWN, outcome: 'failed', statusCode: 404, error: 'gone' })
    startWorker()
    const [row] = await historyWhen(([first]) => first.delivery === 'failed')
    expect(row).toMatchObject({ attempts: 1, error: 'gone' })
    expect(alerting.sent).toHaveLength(1)
  })

  test('is left alone for as long as it asks for', async () => {
    await makeRule(tenant)
    await fire()
    alerting.answer = async () => ({ ...DOWN, retryAfterMs: 90_000 })
    startWorker()
    await historyWhen(([first]) => first.attempts === 1)
    await eventually(async () => {
      const { rows } = await alerting.pool.query(
        `SELECT extract(epoch FROM n.due_at - now())::float8 AS due,
          extract(epoch FROM t.blocked_until - now())::float8 AS blocked
        FROM alert_notifications n JOIN notification_targets t USING (tenant_id, target)
        WHERE n.tenant_id = $1`,
        [tenant.tenantId],
      )
      expect(rows[0].due).toBeGreaterThan(60)
      expect(rows[0].blocked).toBeGreaterThan(60)
    })
  })

  test('holds nobody else’s: not another tenant’s, nor another target of its own', async () => {
    const hanging = new Set<() => void>()
    const other = await alerting.addTenant()
    for (let index = 0; index < 40; index += 1) {
      await makeRule(tenant, {
        action: { type: 'webhook', webhookUrl: `https://dead.example/${index}` },
      })
    }
    await fire()
    await makeRule(other)
    await fire(other)
    alerting.answer = ({ target }) =>
      JSON.stringify(target).includes('dead.example')
        ? new Promise((done) => hanging.add(() => done(DOWN)))
        : Promise.resolve(SENT)
    startWorker()
    await eventually(async () => expect(await history(other)).toMatchObject([{ delivery: 'sent' }]))
    // A quarter of the worker at most is the hanging tenant's.
    expect(hanging.size).toBeLessThanOrEqual(8)
    for (const end of hanging) end()
  }, 30_000)
})

test('two workers send each thing once', async () => {
  for (let index = 0; index < 20; index += 1) await makeRule(tenant)
  await fire()
  startWorker()
  startWorker()
  await historyWhen((all) => all.every(({ delivery }) => delivery === 'sent'))
  const ids = alerting.sent.map(({ notification }) => notification.id)
  expect(new Set(ids).size).toBe(20)
  expect(ids).toHaveLength(20)
})

test('what a killed worker had taken is sent by another when its lease ends', async () => {
  await makeRule(tenant)
  await fire()
  const rows = await alerting.pool.query('SELECT tenant_id, target FROM alert_notifications')
  await alerting.pool.query(
    `INSERT INTO notification_targets (tenant_id, target, blocked_until)
      VALUES ($1, $2, now() + interval '45 seconds')`,
    [rows.rows[0].tenant_id, rows.rows[0].target],
  )
  startWorker()
  await makeDue()
  await historyWhen(([first]) => first.delivery === 'sent')
  await eventually(async () => {
    const { rowCount } = await alerting.pool.query('SELECT FROM notification_targets')
    expect(rowCount).toBe(0)
  })
})
