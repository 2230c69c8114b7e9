/**
 * A sender of notifications, with receivers and mail servers of the test's own that it may reach.
 * For tests.
 */
import { makeCertificate } from '@posthorn/egress/certificate.fixture'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { startMailServer, type TestMailServer } from './mail-server.fixture.ts'
import { createSendToTarget, type SendToTargetConfig, type TargetSender } from './send-to-target.ts'
import type { EmailTarget, Notification, Target, TargetResult } from './target.ts'

export const NOTIFICATION: Notification = {
  title: 'Payments fail',
  text: 'failure_rate is 12.5',
  severity: 'error',
  status: 'firing',
  dedupKey: 'posthorn:rule-1:3',
  fields: { value: 12.5 },
  id: 'n-1',
}
export const SECRET_PATH = '/services/T000/B000/secretsecret'

export interface TestSending {
  receiver: Receiver
  mail: TestMailServer
  /** The same with encryption. */
  secureMail: TestMailServer
  sender(more?: Partial<SendToTargetConfig>, deps?: object): TargetSender
  send(target: Target, made?: TargetSender, more?: Partial<Notification>): Promise<TargetResult>
  targetOf(type: Exclude<Target['type'], 'email'>): Target
  email(more: Partial<EmailTarget['config']>): Target
  /** Between two tests: senders are closed, and the receiver answers 200 again. */
  reset(): void
  close(): Promise<void>
}

const AUTHORITY = makeCertificate({ name: 'Authority' })

export async function startSending(): Promise<TestSending> {
  const opened: TargetSender[] = []
  const receiver = await startReceiver()
  const mail = await startMailServer()
  const altNames = ['127.0.0.1']
  const secureMail = await startMailServer(
    makeCertificate({ name: '127.0.0.1', altNames, signedBy: AUTHORITY }),
  )

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

  async function send(
    target: Target,
    made = sender(),
    more: Partial<Notification> = {},
  ): Promise<TargetResult> {
    const options = { timeoutMs: 10_000, tenantId: 'tenant-1' }
    return await made.send(target, { ...NOTIFICATION, ...more }, options)
  }

  function targetOf(type: Exclude<Target['type'], 'email'>): Target {
    const webhookUrl = receiver.url + SECRET_PATH
    if (type === 'webhook') return { type, config: { url: webhookUrl, secret: 'secret-secret-16' } }
    if (type === 'pagerduty') return { type, config: { routingKey: 'K'.repeat(32) } }
    return { type, config: { webhookUrl } }
  }

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

  function reset(): void {
    for (const made of opened.splice(0)) made.close()
    receiver.answer({})
  }

  return {
    receiver,
    mail,
    secureMail,
    sender,
    send,
    targetOf,
    email,
    reset,
    async close() {
      await receiver.close()
      await mail.close()
      await secureMail.close()
    },
  }
}
