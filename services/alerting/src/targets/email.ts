/**
 * Mail, through the customer's server by a guarded socket, or, for the mails of rules, through the
 * operator's. The customer's is told apart by its `smtpHost`.
 */
import { requiresTls } from '@posthorn/domain/smtp-url'
import { type GuardedSockets, NoGuardedSocket } from '@posthorn/egress/guarded-sockets'
import nodemailer from 'nodemailer'
import { shorten } from './answers.ts'
import { cutText } from './escape.ts'
import type { EmailTarget, Notification, TargetResult } from './target.ts'

/** What mail servers listen at; any other port of a tenant's choice is no mail server's. */
export const SMTP_PORTS: readonly number[] = [25, 465, 587, 2525]
const DEFAULT_PORT = 587
/** The port where TLS comes first. */
const SECURE_PORT = 465

export interface EmailConfig {
  /** Where else than at `SMTP_PORTS` a mail server may be; for tests. */
  ports?: readonly number[]
  /** Certificates in PEM that servers of tenants are trusted by instead of Node's; for tests. */
  ca?: readonly string[] | undefined
  /** The operator's: `SMTP_URL` and `MAIL_FROM`. */
  operator?: { url: string; from: string } | undefined
  brand: string
}

export type SendEmail = (
  config: EmailTarget['config'],
  notification: Notification,
  options: { timeoutMs: number; owner: string },
) => Promise<TargetResult>

const MAX_SUBJECT = 500

export function createSendEmail(
  { ports = SMTP_PORTS, ca, operator, brand }: EmailConfig,
  { open }: Pick<GuardedSockets, 'open'>,
): SendEmail {
  return async (config, notification, { timeoutMs, owner }) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const recipients = config.to.map(parseAddress)
    if (recipients.length === 0 || recipients.includes(null)) {
      return failed('a recipient is not one plain address')
    }
    const transport = config.smtpHost === undefined ? operatorTransport() : tenantTransport()
    if ('outcome' in transport) return transport
    const sender = parseSender(config.smtpHost === undefined ? operator?.from : config.fromEmail)
    if (sender === null) return failed('fromEmail is not one plain address')
    try {
      const sent = await transport.sendMail({
        from: sender,
        // As texts they would be parsed: a comma or a line break makes further recipients.
        to: recipients as MailAddress[],
        subject: cutText(notification.title.replace(/\s+/g, ' ').trim(), MAX_SUBJECT),
        text: notification.text,
        ...(notification.id === undefined ? {} : { messageId: messageId(notification.id, brand) }),
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        signal,
      })
      const rejected = (sent.rejected as unknown[]).map(String)
      const error = rejected.length === 0 ? null : shorten(`not taken: ${rejected.join(', ')}`)
      return { outcome: 'sent', statusCode: codeIn(sent.response), error, retryAfterMs: null }
    } catch (error) {
      return withoutPassword(classifyMailError(error, signal, timeoutMs), config)
    } finally {
      transport.close()
    }

    function operatorTransport(): Mailer | TargetResult {
      if (operator === undefined) {
        return failed(
          'the installation has no mail server (SMTP_URL): use a connector with its own',
        )
      }
      const { url } = operator
      const tls = requiresTls(url) ? { requireTLS: true } : {}
      return nodemailer.createTransport({ url, ...tls, ...timeouts(timeoutMs) }, NO_FILES)
    }

    function tenantTransport(): Mailer | TargetResult {
      const { smtpHost: host = '', smtpPort: port = DEFAULT_PORT, smtpUsername: user } = config
      if (!ports.includes(port)) return failed(`port ${port} is not one of ${ports.join(', ')}`)
      return nodemailer.createTransport(
        {
          host,
          port,
          secure: port === SECURE_PORT,
          // Set here because an environment variable can turn the default off.
          tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca: [...ca] }) },
          // Without encryption the password is not told, whatever the server says it can.
          requireTLS: user !== undefined,
          ...(user === undefined ? {} : { auth: { user, pass: config.smtpPassword ?? '' } }),
          ...timeouts(timeoutMs),
          // nodemailer opens no socket of its own: it speaks TLS over this one.
          getSocket(_options, done) {
            const hostname = host.replace(/^\[|\]$/g, '')
            void open({ hostname, port, secure: false, owner, signal }).then(
              (connection) => done(null, { connection }),
              (error: Error) => done(error),
            )
          },
        },
        NO_FILES,
      )
    }
  }
}

type Mailer = ReturnType<typeof nodemailer.createTransport>

/** No text of a mail names a file or a URL to be fetched into it. */
const NO_FILES = { disableFileAccess: true, disableUrlAccess: true }

function timeouts(ms: number) {
  return { dnsTimeout: ms, connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms }
}

interface MailAddress {
  name: string
  address: string
}

const MAX_ADDRESS = 254
const ADDRESS = /^[^\s\p{C},;:<>()[\]"\\@]+@[^\s\p{C},;:<>()[\]"\\@]+$/u

function parseAddress(text: string): MailAddress | null {
  return text.length <= MAX_ADDRESS && ADDRESS.test(text) ? { name: '', address: text } : null
}

/** An address, or `Name <address>`. */
function parseSender(text = ''): MailAddress | null {
  const { name = '', address = text } =
    /^(?<name>[^<>"\p{C}]{0,100}?)\s*<(?<address>[^<>]+)>$/u.exec(text.trim())?.groups ?? {}
  const parsed = parseAddress(address.trim())
  return parsed === null ? null : { ...parsed, name }
}

function messageId(id: string, brand: string): string {
  return `<${id}@${brand.toLowerCase().replace(/[^a-z0-9-]/g, '') || 'mail'}.invalid>`
}

function failed(error: string): TargetResult {
  return { outcome: 'failed', statusCode: null, error, retryAfterMs: null }
}

/** Waiting does not help: a login that is refused, or TLS that can't be agreed on. */
const PERMANENT = new Set(['EAUTH', 'ETLS', 'ENOAUTH', 'EOAUTH2'])

function classifyMailError(error: unknown, signal: AbortSignal, timeoutMs: number): TargetResult {
  const {
    code = '',
    responseCode,
    message,
  } = error as Error & {
    code?: string
    responseCode?: number
  }
  const guard = guardErrorOf(error)
  if (guard !== undefined) {
    const outcome = guard.category === 'blocked' ? 'failed' : 'retry'
    return { outcome, statusCode: null, error: shorten(guard.message), retryAfterMs: null }
  }
  if (signal.aborted) {
    const late = `the mail was not taken within ${timeoutMs} ms`
    return { outcome: 'retry', statusCode: null, error: late, retryAfterMs: null }
  }
  const statusCode = responseCode ?? null
  const isPermanent = statusCode === null ? PERMANENT.has(code) : statusCode >= 500
  const outcome = isPermanent ? 'failed' : 'retry'
  return { outcome, statusCode, error: shorten(message), retryAfterMs: null }
}

/** A server may repeat what it was told. */
function withoutPassword(
  result: TargetResult,
  { smtpUsername = '', smtpPassword }: EmailTarget['config'],
): TargetResult {
  const { error } = result
  if (error === null || smtpPassword === undefined || smtpPassword === '') return result
  const login = `\0${smtpUsername}\0${smtpPassword}`
  const told = [smtpPassword, ...[login, smtpPassword].map((text) => base64Of(text))]
  return { ...result, error: told.reduce((text, one) => text.replaceAll(one, '…'), error) }
}

function base64Of(text: string): string {
  return Buffer.from(text).toString('base64')
}

function guardErrorOf(error: unknown): NoGuardedSocket | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof NoGuardedSocket) return one
  }
  return undefined
}

/** The code that a server's reply begins with. */
function codeIn(response: unknown): number | null {
  const code = /^\d{3}/.exec(String(response))?.[0]
  return code === undefined ? null : Number(code)
}
