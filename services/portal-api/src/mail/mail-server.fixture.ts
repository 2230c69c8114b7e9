/** A mail server to send to, and what reached it. For tests. */
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  /** The recipients of the envelope: who really gets it. */
  recipients: string[]
  mail: Email
}

export interface TestMailServer {
  url: string
  port: number
  received: ReceivedMail[]
  /** The answer to the next recipients or texts; 0: taken. */
  refuse: { recipient: number; text: number }
  /** Holds back the answer to a text that was received, until it resolves. */
  beforeAnswer: () => Promise<void>
  close(): Promise<void>
}

export async function startMailServer(port = 0): Promise<TestMailServer> {
  const refusal = (code: number): Error =>
    Object.assign(new Error('refused by the test'), { responseCode: code })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    closeTimeout: 100,
    onRcptTo(_address, _session, done) {
      done(mailServer.refuse.recipient === 0 ? null : refusal(mailServer.refuse.recipient))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        receive(recipients, Buffer.concat(chunks)).then(
          () => done(mailServer.refuse.text === 0 ? null : refusal(mailServer.refuse.text)),
          (error: Error) => done(error),
        )
      })
    },
  })
  server.on('error', () => {}) // connections that a test cuts off
  async function receive(recipients: string[], bytes: Buffer): Promise<void> {
    if (mailServer.refuse.text === 0) {
      mailServer.received.push({ recipients, mail: await PostalMime.parse(bytes) })
    }
    await mailServer.beforeAnswer()
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: own } = server.server.address() as AddressInfo
  const mailServer: TestMailServer = {
    url: `smtp://127.0.0.1:${own}`,
    port: own,
    received: [],
    refuse: { recipient: 0, text: 0 },
    beforeAnswer: async () => {},
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return mailServer
}
