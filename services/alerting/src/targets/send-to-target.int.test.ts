/**
 * Notifications on their way: what each target's answers mean, that nothing leaves but by the
 * guard, and that a target that is down is left alone.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, type ReceiverAnswer, startReceiver } from '@posthorn/testing/receiver'
import { makeCertificate } from '@posthorn/egress/certificate.fixture'
import { serviceSignature } from '@posthorn/domain/signature'
import { startMailServer, type TestMailServer } from './mail-server.fixture.ts'
import { createSendToTarget, type SendToTargetConfig, type TargetSender } from './send-to-target.ts'
import type { EmailTarget, Notification, Target, TargetResult } from './target.ts'

const NOTIFICATION: Notification = {
  title: 'Payments fail',
  text: 'failure_rate is 12.5',
  severity: 'error',
  status: 'firing',
  dedupKey: 'posthorn:rule-1:3',
  fields: { value: 12.5 },
  id: 'n-1',
}
const SECRET_PATH = '/services/T000/B000/secretsecret'

let receiver: Receiver
let mail: TestMailServer
/** The same with encryption. */
let secureMail: TestMailServer
const AUTHORITY = makeCertificate({ name: 'Authority' })
const opened: TargetSender[] = []

beforeAll(async () => {
  receiver = await startReceiver()
  mail = await startMailServer()
  const altNames = ['127.0.0.1']
  secureMail = await startMailServer(
    makeCertificate({ name: '127.0.0.1', altNames, signedBy: AUTHORITY }),
  )
})
afterEach(() => {
  for (const sender of opened.splice(0)) sender.close()
  receiver.answer({})
})
afterAll(async () => {
  await receiver.close()
  await mail.close()
  await secureMail.close()
})

function sender(more: Partial<SendToTargetConfig> = {}, deps: object = {}): TargetSender {
  const made = createSendToTarget(
    {
      allowCidrs: ['127.0.0.0/8'],
      requireHttps: false,
      brand: 'service',
      userAgent: 'Posthorn/1',
      pagerdutyUrl: `${receiver.url}/v2/enqueue`,
      smtpPorts: [mail.port, secureMail.port],
      smtpCa: [AUTHORITY.cert],
      breaker: { failures: 1_000 },
      ...more,
    },
    { now: () => 1_700_000_000_000, ...deps },
  )
  opened.push(made)
  return made
}

function send(target: Target, made = sender(), more: Partial<Notification> = {}) {
  const options = { timeoutMs: 10_000, tenantId: 'tenant-1' }
  return made.send(target, { ...NOTIFICATION, ...more }, options)
}

function targetOf(type: Exclude<Target['type'], 'email'>): Target {
  const webhookUrl = receiver.url + SECRET_PATH
  if (type === 'webhook') return { type, config: { url: webhookUrl, secret: 'secret-secret-16' } }
  if (type === 'pagerduty') return { type, config: { routingKey: 'K'.repeat(32) } }
  return { type, config: { webhookUrl } }
}

describe('answers', () => {
  const sent = { outcome: 'sent', error: null, retryAfterMs: null } as const
  const answer = (status: number, body = '', headers: Record<string, string> = {}) => ({
    status,
    body,
    headers,
  })
  test.each<[Exclude<Target['type'], 'email'>, ReceiverAnswer, Partial<TargetResult>]>([
    ['slack', answer(200, 'ok'), { ...sent, statusCode: 200 }],
    ['slack', answer(200, '<html>hello</html>'), { outcome: 'failed', retryAfterMs: null }],
    ['slack', answer(200), { outcome: 'failed' }],
    ['slack', answer(404, 'no_service'), { outcome: 'failed', error: 'HTTP 404: no_service' }],
    ['slack', answer(410, 'channel_is_archived'), { outcome: 'failed', statusCode: 410 }],
    ['slack', answer(403, 'action_prohibited'), { outcome: 'failed' }],
    ['slack', answer(429, '', { 'retry-after': '2' }), { outcome: 'retry', retryAfterMs: 2_000 }],
    ['slack', answer(500, 'rollup_error'), { outcome: 'retry', retryAfterMs: null }],
    ['discord', answer(200, '{"id":"1"}'), { ...sent, statusCode: 200 }],
    ['discord', answer(204), sent],
    [
      'discord',
      answer(429, '{"retry_after":0.65}', { 'retry-after': '1' }),
      { outcome: 'retry', retryAfterMs: 650 },
    ],
    ['discord', answer(429, 'no', { 'retry-after': '3' }), { retryAfterMs: 3_000 }],
    ['discord', answer(404, '{"code":10015}'), { outcome: 'failed' }],
    ['discord', answer(401), { outcome: 'failed', error: 'HTTP 401' }],
    ['teams', answer(202), { ...sent, statusCode: 202 }],
    ['teams', answer(200, '1'), sent],
    ['teams', answer(200, 'Summary or Text is required: error.'), { outcome: 'failed' }],
    [
      'teams',
      answer(
        200,
        'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
      ),
      { outcome: 'retry', statusCode: 429 },
    ],
    ['teams', answer(200, 'Teams endpoint returned HTTP error 404'), { outcome: 'failed' }],
    ['teams', answer(502), { outcome: 'retry' }],
    ['teams', answer(400), { outcome: 'failed' }],
    ['pagerduty', answer(202, '{"status":"success"}'), { ...sent, statusCode: 202 }],
    ['pagerduty', answer(400, '{"errors":["x"]}'), { outcome: 'failed' }],
    ['pagerduty', answer(429), { outcome: 'retry', retryAfterMs: 30_000 }],
    ['webhook', answer(204), sent],
    ['webhook', answer(302, '', { location: 'http://127.0.0.1:1/' }), { outcome: 'failed' }],
    ['webhook', answer(408), { outcome: 'retry' }],
    ['webhook', answer(503, 'later', { 'retry-after': '99999' }), { retryAfterMs: 3_600_000 }],
    ['webhook', answer(200, 'x'.repeat(1_000_000)), sent],
  ])('%s, case %#', async (type, given, wanted) => {
    receiver.answer(given)
    expect(await send(targetOf(type))).toMatchObject(wanted)
  })

  test('no secret is in an error, though the target repeats it', async () => {
    receiver.answer(({ path, rawBody }) => ({
      status: 400,
      body: `no such ${path} ${rawBody.toString()}`,
    }))
    for (const type of ['slack', 'discord', 'teams', 'webhook', 'pagerduty'] as const) {
      const { error } = await send(targetOf(type))
      expect(error).toMatch(/^HTTP 400: no such/)
      expect(error).not.toMatch(/secretsecret|secret-secret|KKKKK/)
    }
  })

  test('each gets its body as JSON, and a webhook’s is signed', async () => {
    const before = receiver.requests.length
    receiver.answer({ body: 'ok' })
    for (const type of ['slack', 'discord', 'teams', 'pagerduty', 'webhook'] as const) {
      await send(targetOf(type), sender(), { payload: '{"a": 1.0}' })
    }
    const requests = receiver.requests.slice(before)
    expect(requests.map(({ path }) => path)).toEqual([
      SECRET_PATH,
      `${SECRET_PATH}?wait=true`,
      SECRET_PATH,
      '/v2/enqueue',
      SECRET_PATH,
    ])
    for (const { method, headers, rawBody } of requests) {
      expect([method, headers['content-type'], headers['user-agent']]).toEqual([
        'POST',
        'application/json',
        'Posthorn/1',
      ])
      expect(typeof JSON.parse(rawBody.toString())).toBe('object')
    }
    const { headers, rawBody } = requests[4] as (typeof requests)[number]
    expect(rawBody.toString()).toBe('{"a": 1.0}')
    const signature = headers['x-service-signature'] as string
    expect(headers['x-service-timestamp']).toBe('1700000000')
    expect(signature).toBe(serviceSignature('secret-secret-16', 1_700_000_000, '{"a": 1.0}'))
  })
})

describe('the guard', () => {
  const inward = async (name: string) => (name.endsWith('.example') ? ['169.254.169.254'] : [])
  test.each([
    'http://127.0.0.1:9/x',
    'http://169.254.169.254/latest',
    'http://[::1]:9/x',
    'http://[::ffff:10.0.0.1]/',
    'https://inward.example/x',
    'ftp://example.com/',
  ])('%s is refused for good', async (url) => {
    const made = sender({ allowCidrs: [] }, { lookup: inward })
    for (const type of ['slack', 'teams', 'discord'] as const) {
      const result = await send({ type, config: { webhookUrl: url } }, made)
      expect(result).toMatchObject({ outcome: 'failed', statusCode: null })
    }
    expect(await send({ type: 'webhook', config: { url } }, made)).toMatchObject({
      outcome: 'failed',
    })
  })

  test.each(['127.0.0.1', '169.254.169.254', '::1', '[::1]', 'inward.example'])(
    'a mail server at %s, too',
    async (smtpHost) => {
      const before = mail.connections
      const made = sender({ allowCidrs: [] }, { lookup: inward })
      const result = await send(email({ smtpHost }), made)
      expect(result).toMatchObject({ outcome: 'failed', statusCode: null })
      expect(result.error).toMatch(/169\.254\.169\.254|127\.0\.0\.1|::1/)
      expect(mail.connections).toBe(before)
    },
  )

  test('a mail server is at a mail server’s port', async () => {
    const result = await send(email({}), sender({ smtpPorts: [25, 465, 587, 2525] }))
    expect(result).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/^port \d+ is/),
    })
  })

  test('plain http is refused where https is required', async () => {
    const result = await send(targetOf('slack'), sender({ requireHttps: true }))
    expect(result).toMatchObject({ outcome: 'failed', error: 'http: is not allowed' })
  })

  test('a name that leads nowhere may lead somewhere later', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    const target: Target = { type: 'slack', config: { webhookUrl: 'https://gone.example/x' } }
    expect(await send(target, sender({}, { lookup }))).toMatchObject({ outcome: 'retry' })
    expect(await send(email({ smtpHost: 'gone.example' }), sender({}, { lookup }))).toMatchObject({
      outcome: 'retry',
    })
  })
})

function email(more: Partial<EmailTarget['config']>): Target {
  return {
    type: 'email',
    config: {
      smtpHost: '127.0.0.1',
      smtpPort: mail.port,
      fromEmail: 'Alerts <alerts@example.com>',
      to: ['ops@example.com'],
      ...more,
    },
  }
}

describe('mail', () => {
  test('arrives as a text of its own, and a subject of one line', async () => {
    const notification = { title: 'Rule\r\nBcc: evil@example.com', text: 'a: 1\nb: 2' }
    const result = await send(email({}), sender(), notification)
    expect(result).toEqual({ outcome: 'sent', statusCode: 250, error: null, retryAfterMs: null })
    const { recipients, mail: received } = mail.received.at(
      -1,
    ) as TestMailServer['received'][number]
    expect(recipients).toEqual(['ops@example.com'])
    expect(received).toMatchObject({
      subject: 'Rule Bcc: evil@example.com',
      from: { name: 'Alerts', address: 'alerts@example.com' },
      messageId: '<n-1@service.invalid>',
    })
    expect(received.text?.trim()).toBe('a: 1\nb: 2')
  })

  test('451 is tried again and 550 is not, as each attempt shows', async () => {
    mail.recipientCodes = [451, 451, 250, 550]
    const made = sender()
    const outcomes: unknown[] = []
    for (let attempt = 0; attempt < 4; attempt++) {
      const { outcome, statusCode } = await send(email({}), made)
      outcomes.push([outcome, statusCode])
    }
    expect(outcomes).toEqual([
      ['retry', 451],
      ['retry', 451],
      ['sent', 250],
      ['failed', 550],
    ])
  })

  test('one recipient of two that is refused is told', async () => {
    mail.recipientCodes = [250, 550]
    const result = await send(email({ to: ['a@example.com', 'b@example.com'] }))
    expect(result).toMatchObject({ outcome: 'sent', error: 'not taken: b@example.com' })
  })

  describe('with a login', () => {
    const login = { smtpUsername: 'user', smtpPassword: 'hunter2hunter2' }

    test('that is refused fails at once', async () => {
      secureMail.letsIn = false
      const result = await send(email({ ...login, smtpPort: secureMail.port }))
      secureMail.letsIn = true
      expect(result).toMatchObject({ outcome: 'failed', statusCode: 535 })
      expect(result.error).not.toContain('hunter2')
    })

    test('is encrypted, by STARTTLS', async () => {
      const result = await send(email({ ...login, smtpPort: secureMail.port }))
      expect(result).toMatchObject({ outcome: 'sent', statusCode: 250 })
      const { smtpPassword: password } = login
      expect(secureMail.logins.at(-1)).toEqual({ password, isEncrypted: true })
    })

    test('tells nothing to a server that offers no encryption', async () => {
      const result = await send(email(login))
      expect(result).toMatchObject({ outcome: 'failed', error: expect.stringMatching(/STARTTLS/) })
      expect(mail.logins).toEqual([])
    })

    test('tells nothing to a server that proves to be nobody', async () => {
      const stranger = makeCertificate({ name: 'Stranger' })
      const made = sender({ smtpCa: [stranger.cert] })
      const before = secureMail.logins.length
      const result = await send(email({ ...login, smtpPort: secureMail.port }), made)
      expect(result.outcome).not.toBe('sent')
      expect(secureMail.logins).toHaveLength(before)
    })

    test('of the operator’s goes unencrypted where its URL says so, and else not', async () => {
      const { config } = email({}) as EmailTarget
      const { smtpHost: _host, smtpPort: _port, ...own } = config
      const target: Target = { type: 'email', config: own }
      const url = `smtp://user:operators@127.0.0.1:${mail.port}`
      const by = (query: string): TargetSender =>
        sender({ operatorMail: { url: url + query, from: 'posthorn@example.com' } })
      expect(await send(target, by(''))).toMatchObject({ outcome: 'failed' })
      expect(mail.logins).toEqual([])
      expect(await send(target, by('?ignoreTLS=true'))).toMatchObject({ outcome: 'sent' })
      expect(mail.logins).toEqual([{ password: 'operators', isEncrypted: false }])
    })
  })

  test.each(['a@x.example\r\nRCPT TO:<evil@x.example>', 'a@x.example, b@x.example', '', 'a'])(
    'the recipient %j is refused before anybody is asked',
    async (to) => {
      const before = mail.connections
      expect(await send(email({ to: [to] }))).toMatchObject({ outcome: 'failed', statusCode: null })
      expect(mail.connections).toBe(before)
    },
  )

  test('without a server of its own the operator’s sends it, where there is one', async () => {
    const { config } = email({}) as EmailTarget
    const { smtpHost: _host, smtpPort: _port, ...own } = config
    const target: Target = { type: 'email', config: own }
    expect(await send(target)).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('SMTP_URL'),
    })
    const operatorMail = { url: `smtp://127.0.0.1:${mail.port}`, from: 'posthorn@example.com' }
    expect(await send(target, sender({ operatorMail }))).toMatchObject({ outcome: 'sent' })
    expect(mail.received.at(-1)?.mail.from).toMatchObject({ address: 'posthorn@example.com' })
  })
})

describe('a target that is down', () => {
  const failing = async () => {
    receiver.answer({ status: 503 })
    const made = sender({ breaker: { failures: 2, pauseMs: 300 } }, { now: Date.now })
    const first = await send(targetOf('slack'), made)
    const second = await send(targetOf('slack'), made)
    expect([first.statusCode, second.statusCode]).toEqual([503, 503])
    return made
  }

  test('is left alone for a while, and asked again', async () => {
    const made = await failing()
    const before = receiver.requests.length
    const putOff = await send(targetOf('slack'), made)
    expect(putOff).toMatchObject({ outcome: 'retry', statusCode: null })
    expect(putOff.retryAfterMs).toBeGreaterThanOrEqual(1_000)
    expect(receiver.requests).toHaveLength(before)
    expect(made.breakers()).toEqual({ breakers: 1, open: 1 })
    receiver.answer({ body: 'ok' })
    await eventually(async () => {
      expect(await send(targetOf('slack'), made)).toMatchObject({ outcome: 'sent' })
    })
    expect(made.breakers().open).toBe(0)
  })

  test('delays no other target and no other tenant', async () => {
    const made = await failing()
    receiver.answer({ body: 'ok' })
    const options = { timeoutMs: 10_000, tenantId: 'tenant-2' }
    expect(await made.send(targetOf('slack'), NOTIFICATION, options)).toMatchObject({
      outcome: 'sent',
    })
    expect(await send(email({}), made)).toMatchObject({ outcome: 'sent' })
  })

  test('what it refuses, or has too much of, opens nothing', async () => {
    const made = sender({ breaker: { failures: 2 } })
    for (const status of [404, 404, 404, 429, 429, 429]) {
      receiver.answer({ status })
      expect(await send(targetOf('webhook'), made)).toMatchObject({ statusCode: status })
    }
  })

  test('a hanging one ends at its deadline', async () => {
    receiver.answer({ delayMs: 60_000 })
    const options = { timeoutMs: 200, tenantId: 'tenant-1' }
    const result = await sender().send(targetOf('slack'), NOTIFICATION, options)
    expect(result).toMatchObject({ outcome: 'retry', error: 'no answer within 200 ms' })
  })

  test('breakers are bounded in number', async () => {
    const made = sender({ breaker: { maxBreakers: 3 } })
    receiver.answer({ body: 'ok' })
    for (let tenant = 0; tenant < 10; tenant++) {
      await made.send(targetOf('slack'), NOTIFICATION, {
        timeoutMs: 10_000,
        tenantId: `t${tenant}`,
      })
    }
    expect(made.breakers().breakers).toBe(3)
  })
})
