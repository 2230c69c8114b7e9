/** Alert rules over HTTP, on real rows. */
import { describe, expect, test } from '@jest/globals'
import { alerting, type Json, tenant, useAlerting } from '../alerting.fixture.ts'

useAlerting()

const URL = 'https://hooks.slack.com/services/T000/B000/abcdwxyz'
const RULE = {
  name: 'Too many failures',
  condition: { metric: 'failure_rate', operator: 'gt', value: 5, window: '5m' },
  action: { type: 'slack', webhookUrl: URL },
}
const INSTANT = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/)

async function made(body: object = RULE, path = '/alerting/rules'): Promise<Json> {
  const answer = await tenant.call('POST', path, body)
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 })
  return answer.body
}

async function makeConnector(name = 'ops'): Promise<Json> {
  const config = { webhookUrl: URL }
  return await made({ name, type: 'slack', config }, '/connectors')
}

describe('a rule', () => {
  test('has every field of the record, and its secrets masked', async () => {
    const rule = await made()
    expect(rule).toEqual({
      id: expect.any(String),
      name: 'Too many failures',
      description: null,
      enabled: true,
      condition: RULE.condition,
      conditionText: 'failure_rate > 5 over 5m',
      action: { type: 'slack', webhookUrl: '••••wxyz', channel: null, message: null },
      connectorName: null,
      cooldown: '5m',
      endpointId: null,
      state: 'ok',
      stateSince: INSTANT,
      lastValue: null,
      lastEvaluatedAt: null,
      createdAt: INSTANT,
      updatedAt: INSTANT,
    })
    expect((await tenant.call('GET', `/alerting/rules/${rule.id}`)).body).toEqual(rule)
    expect((await tenant.call('GET', '/alerting/rules')).body).toEqual({
      data: [rule],
      pagination: { hasMore: false, cursor: null },
    })
  })

  test('made from text is the same record as from the object', async () => {
    await makeConnector()
    const fromText = await made(
      { name: 'Same', condition: 'failure_rate > 5 over 5m', connectorName: 'ops' },
      '/alert-rules',
    )
    const fromObject = await made({
      name: 'Same',
      condition: RULE.condition,
      connectorName: 'ops',
    })
    const { id, createdAt, updatedAt, stateSince, ...same } = fromText
    expect(fromObject).toEqual({
      ...same,
      id: expect.any(String),
      createdAt: INSTANT,
      updatedAt: INSTANT,
      stateSince: INSTANT,
    })
    expect(id).not.toBe(fromObject.id)
    expect([createdAt, updatedAt]).toEqual([stateSince, stateSince])
  })

  test('keeps secrets that come back masked, and takes new ones', async () => {
    const rule = await made()
    const path = `/alerting/rules/${rule.id}`
    const renamed = await tenant.call('PUT', path, { action: { ...rule.action, channel: '#ops' } })
    expect(renamed.body.action).toMatchObject({ webhookUrl: '••••wxyz', channel: '#ops' })
    await tenant.call('POST', `${path}/test`)
    expect(alerting.sent).toMatchObject([
      { target: { type: 'slack', config: { webhookUrl: URL, channel: '#ops' } } },
    ])
    const wrong = await tenant.call('PUT', path, {
      action: { type: 'slack', webhookUrl: '••••else' },
    })
    expect(wrong).toMatchObject({ status: 400, body: { details: [{ path: 'action.webhookUrl' }] } })
  })

  test('is enabled, disabled and deleted', async () => {
    const rule = await made({ ...RULE, enabled: false })
    const path = `/alerting/rules/${rule.id}`
    expect(rule.enabled).toBe(false)
    for (const [verb, enabled] of [
      ['enable', true],
      ['enable', true],
      ['disable', false],
    ] as const) {
      const answer = await tenant.call('POST', `${path}/${verb}`)
      expect(answer).toMatchObject({ status: 200, body: { id: rule.id, enabled } })
    }
    expect(await tenant.call('DELETE', path)).toMatchObject({ status: 204, text: '' })
    for (const [method, at] of [
      ['GET', path],
      ['PUT', path],
      ['DELETE', path],
      ['POST', `${path}/test`],
    ] as const) {
      const answer = await tenant.call(method, at, method === 'PUT' ? {} : undefined)
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
  })

  test('changes from an action to a connector and back, and always has one', async () => {
    await makeConnector()
    const rule = await made()
    const path = `/alerting/rules/${rule.id}`
    const byConnector = await tenant.call('PUT', path, { connectorName: 'ops' })
    expect(byConnector.body).toMatchObject({ action: null, connectorName: 'ops' })
    for (const body of [{ connectorName: null }, { action: null, connectorName: null }]) {
      expect((await tenant.call('PUT', path, body)).status).toBe(400)
    }
    const byAction = await tenant.call('PUT', path, { action: RULE.action, connectorName: null })
    expect(byAction.body).toMatchObject({ action: { type: 'slack' }, connectorName: null })
  })

  test('belongs to its project', async () => {
    const project = '/alerting/rules'
    const inProject = { 'X-Project-ID': tenant.projectId }
    const rule = await tenant.call('POST', project, RULE, inProject)
    const everywhere = await made()
    const ids = async (headers = {}): Promise<string[]> =>
      (await tenant.call('GET', project, undefined, headers)).body.data.map(({ id }: Json) => id)
    expect(await ids()).toEqual([everywhere.id, rule.body.id])
    expect(await ids(inProject)).toEqual([rule.body.id])
    const path = `/alerting/rules/${everywhere.id}`
    expect((await tenant.call('GET', path, undefined, inProject)).status).toBe(404)
  })

  test('of another workspace is not there', async () => {
    const rule = await made()
    const other = await alerting.addTenant()
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', { name: 'Mine' }],
      ['DELETE', '', undefined],
      ['POST', '/enable', undefined],
    ] as const) {
      const answer = await other.call(method, `/alerting/rules/${rule.id}${path}`, body)
      expect(answer.status).toBe(404)
    }
    expect((await other.call('GET', '/alerting/rules')).body.data).toEqual([])
  })
})

test.each([
  [{ ...RULE, condition: { ...RULE.condition, metric: 'uptime' } }, 'condition.metric'],
  [{ ...RULE, condition: { ...RULE.condition, operator: '>' } }, 'condition.operator'],
  [{ ...RULE, condition: { ...RULE.condition, value: '5' } }, 'condition.value'],
  [{ ...RULE, condition: { ...RULE.condition, window: '30s' } }, 'condition.window'],
  [{ ...RULE, condition: { ...RULE.condition, window: '31d' } }, 'condition.window'],
  [{ ...RULE, cooldown: '721h' }, 'cooldown'],
  [{ ...RULE, connectorName: 'ops' }, 'action'],
  [{ ...RULE, action: undefined }, 'action'],
  [{ ...RULE, action: undefined, connectorName: 'nobody-s' }, 'connectorName'],
  [{ ...RULE, action: { type: 'telegram' } }, 'action.type'],
  [{ ...RULE, action: { type: 'slack' } }, 'action.webhookUrl'],
  [{ ...RULE, action: { type: 'slack', webhookUrl: '••••wxyz' } }, 'action.webhookUrl'],
  [{ ...RULE, action: { type: 'slack', webhookUrl: 'http://127.0.0.1/' } }, 'action.webhookUrl'],
  [{ ...RULE, action: { type: 'email', to: ['a@x.example\r\nBcc: b@y'] } }, 'action.to.0'],
  [{ ...RULE, action: { type: 'email', to: ['"a@x", b@y.example'] } }, 'action.to.0'],
  [{ ...RULE, action: { type: 'pagerduty', routingKey: 'k', severity: 'bad' } }, 'action.severity'],
  [{ ...RULE, endpointId: '00000000-0000-7000-8000-000000000000' }, 'endpointId'],
  [{ ...RULE, state: 'ok' }, 'state'],
])('%j is refused for its %s', async (body, path) => {
  const answer = await tenant.call('POST', '/alerting/rules', body)
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } })
})

test('a template that is none is refused with its line and column, and changes nothing', async () => {
  const rule = await made()
  const path = `/alerting/rules/${rule.id}`
  for (const [message, place] of [
    ['ok\n  {{nosuch .value}}', /line 2, column \d+: .*nosuch/],
    ['{{.value', /line 1, column \d+: /],
    ['{{template "x"}}', /line 1, column \d+: /],
  ] as const) {
    const action = { ...rule.action, message }
    const answer = await tenant.call('PUT', path, { action })
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ path: 'action.message', message: expect.stringMatching(place) }] },
    })
  }
  expect((await tenant.call('GET', path)).body).toEqual(rule)
})

test.each([
  ['failure_rate ~ 5', 'column 14'],
  ['failure_rate > 5 over 5', 'column 23'],
  ['__proto__ > 5', 'column 1'],
])('the text %j is refused, and the answer names the place', async (condition, place) => {
  await makeConnector()
  const answer = await tenant.call('POST', '/alert-rules', {
    name: 'Bad',
    condition,
    connectorName: 'ops',
  })
  expect(answer).toMatchObject({
    status: 400,
    body: { details: [{ path: 'condition', message: expect.stringContaining(place) }] },
  })
})

test('a workspace has at most 200 rules', async () => {
  await made()
  await alerting.pool.query(
    `INSERT INTO alert_rules SELECT (r).* FROM (
      SELECT jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid())) AS r
      FROM alert_rules r, generate_series(2, 200) WHERE r.tenant_id = $1) more`,
    [tenant.tenantId],
  )
  const answer = await tenant.call('POST', '/alerting/rules', RULE)
  expect(answer).toMatchObject({
    status: 409,
    body: { code: 'INVALID_STATE', details: { limit: 200 } },
  })
})

test('a plan without alerting has none of it', async () => {
  const free = await alerting.addTenant('free')
  for (const [method, path] of [
    ['GET', '/alerting/rules'],
    ['GET', '/connectors'],
    ['POST', '/alerting/evaluate'],
  ] as const) {
    const answer = await free.call(method, path)
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'PLAN_REQUIRED', details: { plan: 'starter' } },
    })
  }
})

test('each change writes one audit row, without secrets', async () => {
  const rule = await made()
  const path = `/alerting/rules/${rule.id}`
  await tenant.call('PUT', path, { cooldown: '10m' })
  await tenant.call('POST', `${path}/disable`)
  await tenant.call('DELETE', path)
  const { rows } = await alerting.pool.query(
    'SELECT action, resource_id, metadata::text FROM audit_logs WHERE tenant_id = $1 ORDER BY id',
    [tenant.tenantId],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'alert_rule.create',
    'alert_rule.update',
    'alert_rule.disable',
    'alert_rule.delete',
  ])
  for (const row of rows) {
    expect(row.resource_id).toBe(rule.id)
    expect(row.metadata).not.toContain('hooks.slack.com')
  }
})
