/** Connectors over HTTP, on real rows. */
import { describe, expect, test } from '@jest/globals'
import { alerting, type Json, tenant, useAlerting } from '../alerting.fixture.ts'

useAlerting()

const URL = 'https://hooks.slack.com/services/T000/B000/abcdwxyz'
const SLACK = { name: 'ops', type: 'slack', config: { webhookUrl: URL, channel: '#ops' } }
const MAIL = {
  name: 'mail',
  type: 'email',
  config: {
    smtpHost: 'smtp.example.com',
    smtpPort: 587,
    smtpUsername: 'posthorn',
    smtpPassword: 'hunter2-and-more',
    fromEmail: 'alerts@example.com',
    to: ['ops@example.com'],
  },
}
const INSTANT = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/)

async function made(body: object = SLACK): Promise<Json> {
  const answer = await tenant.call('POST', '/connectors', body)
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 })
  return answer.body
}

describe('a connector', () => {
  test('has every field of the record, and its secrets masked', async () => {
    const connector = await made()
    expect(connector).toEqual({
      id: expect.any(String),
      name: 'ops',
      type: 'slack',
      config: { webhookUrl: '••••wxyz', channel: '#ops' },
      template: null,
      eventTypes: [],
      createdAt: INSTANT,
      updatedAt: INSTANT,
    })
    expect((await tenant.call('GET', '/connectors/ops')).body).toEqual(connector)
    expect((await tenant.call('GET', '/connectors')).body.data).toEqual([connector])
    const { rows } = await alerting.pool.query('SELECT config FROM connectors WHERE id = $1', [
      connector.id,
    ])
    expect(rows[0].config).not.toContain('hooks')
  })

  test.each([
    { name: 'd', type: 'discord', config: { webhookUrl: URL, username: 'Posthorn' } },
    { name: 't', type: 'teams', config: { webhookUrl: URL } },
    { name: 'w', type: 'webhook', config: { url: 'https://example.com/hook' } },
    MAIL,
  ])('of each type is made: $type', async (body) => {
    const { smtpPassword, ...shown } = (await made(body)).config
    expect(smtpPassword ?? '••••more').toBe('••••more')
    expect(shown).toMatchObject(
      body.name === 'mail' ? { smtpHost: 'smtp.example.com', smtpPort: 587 } : {},
    )
  })

  test('is changed in part, within its settings and its template too', async () => {
    await made({ ...MAIL, template: { title: 'A', text: 'B' } })
    const changed = await tenant.call('PUT', '/connectors/mail', {
      config: { smtpPort: 465, smtpPassword: '••••more', smtpUsername: null },
      template: { text: 'C' },
      eventTypes: ['order.*'],
    })
    expect(changed).toMatchObject({
      status: 200,
      body: {
        config: { smtpHost: 'smtp.example.com', smtpPort: 465, smtpPassword: '••••more' },
        template: { title: 'A', text: 'C', color: null },
        eventTypes: ['order.*'],
      },
    })
    expect(changed.body.config).not.toHaveProperty('smtpUsername')
    await tenant.call('POST', '/connectors/mail/test')
    expect(alerting.sent).toMatchObject([
      { target: { type: 'email', config: { smtpPassword: 'hunter2-and-more' } } },
    ])
    const none = await tenant.call('PUT', '/connectors/mail', { template: null })
    expect(none.body.template).toBeNull()
  })

  test('tells its password to no other server than the one that it was given for', async () => {
    await made(MAIL)
    const smtpHost = 'smtp.elsewhere.example'
    for (const smtpPassword of [undefined, '••••more']) {
      const config = { smtpHost, smtpPassword }
      expect(await tenant.call('PUT', '/connectors/mail', { config })).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST', details: [{ path: 'config.smtpPassword' }] },
      })
    }
    for (const smtpPassword of ['hunter2-and-more', null]) {
      const config = { smtpHost: `${String(smtpPassword)}.example`, smtpPassword }
      expect((await tenant.call('PUT', '/connectors/mail', { config })).status).toBe(200)
    }
  })

  test('has a name of its own in the workspace, and not beyond it', async () => {
    await made()
    expect(await tenant.call('POST', '/connectors', SLACK)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: [{ path: 'name' }] },
    })
    const other = await alerting.addTenant()
    expect((await other.call('GET', '/connectors/ops')).status).toBe(404)
    expect((await other.call('POST', '/connectors', SLACK)).status).toBe(201)
  })

  test('that a rule names is not deleted, and the answer names the rule', async () => {
    await made()
    const rule = await tenant.call('POST', '/alert-rules', {
      name: 'Silence',
      condition: 'delivery_count < 1 over 10m',
      connectorName: 'ops',
    })
    expect(await tenant.call('DELETE', '/connectors/ops')).toMatchObject({
      status: 409,
      body: { code: 'INVALID_STATE', details: { rules: ['Silence'] } },
    })
    await tenant.call('DELETE', `/alerting/rules/${rule.body.id}`)
    expect((await tenant.call('DELETE', '/connectors/ops')).status).toBe(204)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
    ] as const) {
      expect((await tenant.call(method, `/connectors/ops${path}`)).status).toBe(404)
    }
  })

  test('and a rule that is made with it while it is deleted: one of them wins', async () => {
    for (let round = 0; round < 8; round += 1) {
      const name = `ops-${round}`
      await made({ ...SLACK, name })
      const [rule, deleted] = await Promise.all([
        tenant.call('POST', '/alert-rules', {
          name: 'R',
          condition: 'error_count > 1',
          connectorName: name,
        }),
        tenant.call('DELETE', `/connectors/${name}`),
      ])
      expect([`${rule.status} ${deleted.status}`]).toEqual([
        expect.stringMatching(/^(201 409|400 204)$/),
      ])
    }
  })
})

test.each([
  [{ ...SLACK, name: 'a b' }, 'name'],
  [{ ...SLACK, name: 'x'.repeat(65) }, 'name'],
  [{ ...SLACK, type: 'pagerduty' }, 'type'],
  [{ ...SLACK, config: {} }, 'config.webhookUrl'],
  [{ ...SLACK, config: { webhookUrl: URL, smtpHost: 'x' } }, 'config.smtpHost'],
  [{ ...SLACK, config: { webhookUrl: 'ftp://x.example' } }, 'config.webhookUrl'],
  [{ ...SLACK, config: { webhookUrl: '••••wxyz' } }, 'config.webhookUrl'],
  [{ ...SLACK, config: { webhookUrl: 'http://169.254.169.254/' } }, 'config.webhookUrl'],
  [{ ...MAIL, config: { ...MAIL.config, smtpHost: '127.0.0.1' } }, 'config.smtpHost'],
  [{ ...MAIL, config: { ...MAIL.config, smtpHost: '::1' } }, 'config.smtpHost'],
  [{ ...MAIL, config: { ...MAIL.config, to: [] } }, 'config.to'],
  [{ ...MAIL, config: { ...MAIL.config, to: ['a@x.example\nBcc: b@y'] } }, 'config.to.0'],
  [{ ...SLACK, template: { text: 'a\n{{nosuch}}' } }, 'template.text'],
  [{ ...SLACK, template: { body: 'x' } }, 'template.body'],
  [{ ...SLACK, eventTypes: ['a b'] }, 'eventTypes.0'],
])('%j is refused for its %s', async (body, path) => {
  const answer = await tenant.call('POST', '/connectors', body)
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } })
})

test('a blocked address has a code of its own', async () => {
  const blocked = await tenant.call('POST', '/connectors', {
    ...SLACK,
    config: { webhookUrl: 'http://127.0.0.1/' },
  })
  expect(blocked.body.code).toBe('DESTINATION_BLOCKED')
})

test('settings that are no settings of the type are refused when it is changed, too', async () => {
  await made()
  for (const [config, path] of [
    [{ url: URL }, 'config'],
    [{ webhookUrl: null }, 'config.webhookUrl'],
    [{ webhookUrl: 'http://[::1]/' }, 'config.webhookUrl'],
  ] as const) {
    const answer = await tenant.call('PUT', '/connectors/ops', { config })
    expect(answer.status).toBe(400)
    expect(answer.body.details[0].path).toMatch(path)
  }
})

test('a sample tells what came of it', async () => {
  await made()
  expect(await tenant.call('POST', '/connectors/ops/test')).toMatchObject({
    status: 200,
    body: { delivery: 'sent', statusCode: 200, error: null },
  })
  alerting.answer = async () => ({
    outcome: 'retry',
    statusCode: 503,
    error: 'answered 503',
    retryAfterMs: null,
  })
  expect((await tenant.call('POST', '/connectors/ops/test')).body).toEqual({
    delivery: 'failed',
    statusCode: 503,
    error: 'answered 503',
  })
})
