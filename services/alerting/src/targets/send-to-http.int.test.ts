/** What the answers of chats, incident services and webhooks mean, and what each is sent. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { serviceSignature } from '@posthorn/domain/signature'
import type { ReceiverAnswer } from '@posthorn/testing/receiver'
import { SECRET_PATH, startSending, type TestSending } from './sending.fixture.ts'
import type { Target, TargetResult } from './target.ts'

let on: TestSending
beforeAll(async () => {
  on = await startSending()
})
afterEach(() => on.reset())
afterAll(async () => await on.close())

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
    on.receiver.answer(given)
    expect(await on.send(on.targetOf(type))).toMatchObject(wanted)
  })

  test('no secret is in an error, though the target repeats it', async () => {
    on.receiver.answer(({ path, rawBody }) => ({
      status: 400,
      body: `no such ${path} ${rawBody.toString()}`,
    }))
    for (const type of ['slack', 'discord', 'teams', 'webhook', 'pagerduty'] as const) {
      const { error } = await on.send(on.targetOf(type))
      expect(error).toMatch(/^HTTP 400: no such/)
      expect(error).not.toMatch(/secretsecret|secret-secret|KKKKK/)
    }
  })

  test('each gets its body as JSON, and a webhook’s is signed', async () => {
    const before = on.receiver.requests.length
    on.receiver.answer({ body: 'ok' })
    for (const type of ['slack', 'discord', 'teams', 'pagerduty', 'webhook'] as const) {
      await on.send(on.targetOf(type), on.sender(), { payload: '{"a": 1.0}' })
    }
    const requests = on.receiver.requests.slice(before)
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
