/** Nothing that is sent to a target leaves but by the guard, to mail servers neither. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { startSending, type TestSending } from './sending.fixture.ts'
import type { Target } from './target.ts'

let on: TestSending
beforeAll(async () => {
  on = await startSending()
})
afterEach(() => on.reset())
afterAll(async () => await on.close())

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
    const made = on.sender({ allowCidrs: [] }, { lookup: inward })
    for (const type of ['slack', 'teams', 'discord'] as const) {
      const result = await on.send({ type, config: { webhookUrl: url } }, made)
      expect(result).toMatchObject({ outcome: 'failed', statusCode: null })
    }
    expect(await on.send({ type: 'webhook', config: { url } }, made)).toMatchObject({
      outcome: 'failed',
    })
  })

  test.each(['127.0.0.1', '169.254.169.254', '::1', '[::1]', 'inward.example'])(
    'a mail server at %s, too',
    async (smtpHost) => {
      const before = on.mail.connections
      const made = on.sender({ allowCidrs: [] }, { lookup: inward })
      const result = await on.send(on.email({ smtpHost }), made)
      expect(result).toMatchObject({ outcome: 'failed', statusCode: null })
      expect(result.error).toMatch(/169\.254\.169\.254|127\.0\.0\.1|::1/)
      expect(on.mail.connections).toBe(before)
    },
  )

  test('a mail server is at a mail server’s port', async () => {
    const result = await on.send(on.email({}), on.sender({ smtpPorts: [25, 465, 587, 2525] }))
    expect(result).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/^port \d+ is/),
    })
  })

  test('plain http is refused where https is required', async () => {
    const result = await on.send(on.targetOf('slack'), on.sender({ requireHttps: true }))
    expect(result).toMatchObject({ outcome: 'failed', error: 'http: is not allowed' })
  })

  test('a name that leads nowhere may lead somewhere later', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    const target: Target = { type: 'slack', config: { webhookUrl: 'https://gone.example/x' } }
    expect(await on.send(target, on.sender({}, { lookup }))).toMatchObject({ outcome: 'retry' })
    expect(
      await on.send(on.email({ smtpHost: 'gone.example' }), on.sender({}, { lookup })),
    ).toMatchObject({
      outcome: 'retry',
    })
  })
})
