/** Mails: their form, what the answers of mail servers mean, and who is told a password. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { makeCertificate } from '@posthorn/egress/certificate.fixture'
import type { TestMailServer } from './mail-server.fixture.ts'
import type { TargetSender } from './send-to-target.ts'
import { startSending, type TestSending } from './sending.fixture.ts'
import type { EmailTarget, Target } from './target.ts'

let on: TestSending
beforeAll(async () => {
  on = await startSending()
})
afterEach(() => on.reset())
afterAll(async () => await on.close())

describe('mail', () => {
  test('arrives as a text of its own, and a subject of one line', async () => {
    const notification = { title: 'Rule\r\nBcc: evil@example.com', text: 'a: 1\nb: 2' }
    const result = await on.send(on.email({}), on.sender(), notification)
    expect(result).toEqual({ outcome: 'sent', statusCode: 250, error: null, retryAfterMs: null })
    const { recipients, mail: received } = on.mail.received.at(
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
    on.mail.recipientCodes = [451, 451, 250, 550]
    const made = on.sender()
    const outcomes: unknown[] = []
    for (let attempt = 0; attempt < 4; attempt++) {
      const { outcome, statusCode } = await on.send(on.email({}), made)
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
    on.mail.recipientCodes = [250, 550]
    const result = await on.send(on.email({ to: ['a@example.com', 'b@example.com'] }))
    expect(result).toMatchObject({ outcome: 'sent', error: 'not taken: b@example.com' })
  })

  describe('with a login', () => {
    const login = { smtpUsername: 'user', smtpPassword: 'hunter2hunter2' }

    test('that is refused fails at once', async () => {
      on.secureMail.letsIn = false
      const result = await on.send(on.email({ ...login, smtpPort: on.secureMail.port }))
      on.secureMail.letsIn = true
      expect(result).toMatchObject({ outcome: 'failed', statusCode: 535 })
      expect(result.error).not.toContain('hunter2')
    })

    test('is encrypted, by STARTTLS', async () => {
      const result = await on.send(on.email({ ...login, smtpPort: on.secureMail.port }))
      expect(result).toMatchObject({ outcome: 'sent', statusCode: 250 })
      const { smtpPassword: password } = login
      expect(on.secureMail.logins.at(-1)).toEqual({ password, isEncrypted: true })
    })

    test('tells nothing to a server that offers no encryption', async () => {
      const result = await on.send(on.email(login))
      expect(result).toMatchObject({ outcome: 'failed', error: expect.stringMatching(/STARTTLS/) })
      expect(on.mail.logins).toEqual([])
    })

    test('tells nothing to a server that proves to be nobody', async () => {
      const stranger = makeCertificate({ name: 'Stranger' })
      const made = on.sender({ smtpCa: [stranger.cert] })
      const before = on.secureMail.logins.length
      const result = await on.send(on.email({ ...login, smtpPort: on.secureMail.port }), made)
      expect(result.outcome).not.toBe('sent')
      expect(on.secureMail.logins).toHaveLength(before)
    })

    test('of the operator’s goes unencrypted where its URL says so, and else not', async () => {
      const { config } = on.email({}) as EmailTarget
      const { smtpHost: _host, smtpPort: _port, ...own } = config
      const target: Target = { type: 'email', config: own }
      const url = `smtp://user:operators@127.0.0.1:${on.mail.port}`
      const by = (query: string): TargetSender =>
        on.sender({ operatorMail: { url: url + query, from: 'posthorn@example.com' } })
      expect(await on.send(target, by(''))).toMatchObject({ outcome: 'failed' })
      expect(on.mail.logins).toEqual([])
      expect(await on.send(target, by('?ignoreTLS=true'))).toMatchObject({ outcome: 'sent' })
      expect(on.mail.logins).toEqual([{ password: 'operators', isEncrypted: false }])
    })
  })

  test.each(['a@x.example\r\nRCPT TO:<evil@x.example>', 'a@x.example, b@x.example', '', 'a'])(
    'the recipient %j is refused before anybody is asked',
    async (to) => {
      const before = on.mail.connections
      expect(await on.send(on.email({ to: [to] }))).toMatchObject({
        outcome: 'failed',
        statusCode: null,
      })
      expect(on.mail.connections).toBe(before)
    },
  )

  test('without a server of its own the operator’s sends it, where there is one', async () => {
    const { config } = on.email({}) as EmailTarget
    const { smtpHost: _host, smtpPort: _port, ...own } = config
    const target: Target = { type: 'email', config: own }
    expect(await on.send(target)).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('SMTP_URL'),
    })
    const operatorMail = { url: `smtp://127.0.0.1:${on.mail.port}`, from: 'posthorn@example.com' }
    expect(await on.send(target, on.sender({ operatorMail }))).toMatchObject({ outcome: 'sent' })
    expect(on.mail.received.at(-1)?.mail.from).toMatchObject({ address: 'posthorn@example.com' })
  })
})
