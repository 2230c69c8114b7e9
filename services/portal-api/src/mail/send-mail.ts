/**
 * The two ways for a mail to leave: over SMTP to the server that the operator names, or, where none
 * is named, into the log, where whoever runs the installation finds its link. The server is the
 * operator's own choice, like Postgres, so that egress's guard does not stand before it.
 */
import { requiresTls } from '@posthorn/domain/smtp-url'
import type { Log } from '@posthorn/runtime/log'
import nodemailer from 'nodemailer'
import type { RenderedMail } from './render-mail.ts'

/** A mail with the id of its row, which is also its id for mail servers. */
export type OutgoingMail = RenderedMail & { id: string }

/** Fails when the mail was not taken; `isRefused` tells whether trying again could help. */
export type SendMail = (mail: OutgoingMail) => Promise<void>

export interface SmtpConfig {
  /** `SMTP_URL`; its query may hold further settings of nodemailer's. */
  url: string
  /** `MAIL_FROM`: an address, or `Name <address>`. */
  from: string
  /** Names the installation in the ids of mails. */
  publicUrl: string
}

/**
 * What each step may take. Together they are less than a mail's lease, so that nobody else sends a
 * mail that is being sent.
 */
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const SEND_MS = 45_000

export function createSmtpSender({ url, from, publicUrl }: SmtpConfig): SendMail {
  const transport = nodemailer.createTransport(
    {
      url,
      ...(requiresTls(url) ? { requireTLS: true } : {}),
      dnsTimeout: CONNECT_MS,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
    },
    // No text of ours names a file or a URL to be fetched into a mail.
    { disableFileAccess: true, disableUrlAccess: true },
  )
  const sender = parseFrom(from)
  const { hostname } = new URL(publicUrl)
  return async ({ id, to, subject, text, html }) => {
    await transport.sendMail({
      from: sender,
      // As a text it would be parsed: a comma or a line break in it makes further recipients.
      to: { name: '', address: singleAddress(to) },
      subject,
      text,
      html,
      messageId: `<${id}@${hostname.replace(/[[\]]/g, '')}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      signal: AbortSignal.timeout(SEND_MS),
    })
  }
}

/** Logs the mail, and hands it to `keep`, by which `standalone` shows it. */
export function createLoggedSender(
  log: Pick<Log, 'info'>,
  keep: (mail: OutgoingMail) => void = () => {},
): SendMail {
  return async (mail) => {
    const { id, kind, to, subject, link } = mail
    log.info('mail.logged', { mailId: id, kind, to, subject, link })
    keep(mail)
  }
}

const FROM = /^(?:(?<name>[^<>"\r\n]{0,100}?)\s*<)?(?<address>[^\s<>@,;"]+@[^\s<>@,;"]+?)>?$/

/** @throws where `MAIL_FROM` is neither an address nor a name with one */
export function parseFrom(text: string): { name: string; address: string } {
  const { name = '', address } = FROM.exec(text.trim())?.groups ?? {}
  if (address === undefined || text.includes('<') !== text.includes('>')) {
    throw new Error('MAIL_FROM must be an address, or a name with one: Name <name@example.com>')
  }
  return { name, address }
}

const ADDRESS = /^[^\s\p{C},;:<>()[\]"\\@]+@[^\s\p{C},;:<>()[\]"\\@]+$/u
const MAX_ADDRESS = 254

const REFUSED = 'EREFUSED_ADDRESS'

function singleAddress(text: string): string {
  if (text.length <= MAX_ADDRESS && ADDRESS.test(text)) return text
  throw Object.assign(new Error('this is not one plain address'), { code: REFUSED })
}

/**
 * Whether the server, or the address itself, rules out that this mail ever arrives. A server that
 * refuses our login, or is not there, may be put right.
 */
export function isRefused(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown }
  if (code === REFUSED) return true
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isAboutMail && typeof responseCode === 'number' && responseCode >= 500
}
