/** A mail server that answers as a test says, and what reached it. */
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface TestMailServer {
  port: number
  /** The logins that were tried, and whether they came encrypted. */
  logins: { password: string | null | undefined; isEncrypted: boolean }[]
  received: { recipients: string[]; mail: Email }[]
  /** The answers to the next recipients; then they are taken. */
  recipientCodes: number[]
  /** Whether a login is let in. */
  letsIn: boolean
  connections: number
  close(): Promise<void>
}

/**
 * @param tls without it the server offers no encryption, and logins all the same
 * @param place where it listens; port 0: any that is free
 */
export async function startMailServer(
  tls?: { cert: string; key: string },
  place = { host: '127.0.0.1', port: 0 },
): Promise<TestMailServer> {
  const refusal = (responseCode: number): Error =>
    Object.assign(new Error('refused by the test'), { responseCode })
  const smtp = new SMTPServer({
    authOptional: true,
    ...(tls ?? { disabledCommands: ['STARTTLS'] }),
    allowInsecureAuth: true,
    logger: false,
    closeTimeout: 100,
    onConnect(_session, done) {
      server.connections++
      done()
    },
    onAuth({ password }, { secure: isEncrypted }, done) {
      server.logins.push({ password, isEncrypted })
      if (server.letsIn) done(null, { user: 'user' })
      else done(refusal(535))
    },
    onRcptTo(_address, _session, done) {
      const code = server.recipientCodes.shift()
      done(code === undefined || code === 250 ? null : refusal(code))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        PostalMime.parse(Buffer.concat(chunks)).then(
          (mail) => {
            server.received.push({ recipients, mail })
            done(null)
          },
          (error: Error) => done(error),
        )
      })
    },
  })
  smtp.on('error', () => {}) // connections that a test cuts off
  await new Promise<void>((resolve, reject) => {
    smtp.once('error', reject)
    smtp.listen(place.port, place.host, resolve)
  })
  const server: TestMailServer = {
    port: (smtp.server.address() as AddressInfo).port,
    logins: [],
    received: [],
    recipientCodes: [],
    letsIn: true,
    connections: 0,
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
  return server
}
