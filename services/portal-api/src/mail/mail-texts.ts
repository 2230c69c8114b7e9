/**
 * What each kind of mail says. A text has a subject, some paragraphs, at most one button, and a
 * last line that says why it came. Values that people chose, such as the name of a workspace, are
 * shown as names: on one line, short, and not as links.
 */
import type { Mail, MailKind } from './enqueue-mail.ts'

export interface MailText {
  subject: string
  paragraphs: readonly string[]
  /** `path` is below `PUBLIC_URL`. */
  button?: { label: string; path: string }
  /** Why the reader gets this mail, and what to do if it should not have come. */
  reason: string
}

interface Context {
  /** The name of this installation. */
  brand: string
  data: Mail['data']
}

type WriteText = (context: Context) => MailText

const MAX_NAME = 64
const MAX_TEXT = 4_000

export function textOf(mail: Pick<Mail, 'kind' | 'data'>, brand: string): MailText {
  // A newer version may have written a kind that this one does not know.
  const write: WriteText | undefined = Object.hasOwn(TEXTS, mail.kind)
    ? TEXTS[mail.kind]
    : undefined
  if (write === undefined) throw new Error(`there is no text for mails of the kind ${mail.kind}`)
  return write({ brand, data: mail.data })
}

const TEXTS: Readonly<Record<MailKind, WriteText>> = {
  verify_email: ({ brand, data }) => ({
    subject: `Confirm your email address for ${brand}`,
    paragraphs: [
      `Welcome to ${brand}. Confirm that this address is yours, and you can invite your team and ` +
        'make API keys.',
      'The link works once, within 24 hours.',
    ],
    button: { label: 'Confirm this address', path: required(data, 'link') },
    reason:
      `You get this mail because somebody signed up for ${brand} with this address. If that was ` +
      'not you, ignore it: nobody can use the address without the link above.',
  }),

  known_email: ({ brand, data }) => ({
    subject: `You already have an account with ${brand}`,
    paragraphs: [
      `Somebody tried to sign up for ${brand} with this address. It has an account already, so ` +
        'nothing was changed.',
      'If it was you, sign in. If you no longer know your password, ask for a new one there.',
    ],
    button: { label: 'Sign in', path: data['link'] ?? '/login' },
    reason:
      'You get this mail because of that attempt. If it was not you, there is nothing to do: who ' +
      'tried it has not learned that you have an account.',
  }),

  reset_password: ({ brand, data }) => ({
    subject: `Choose a new password for ${brand}`,
    paragraphs: [
      'Here is the link to choose a new password. All sessions of your account end when you do.',
      'The link works once, within 1 hour.',
    ],
    button: { label: 'Choose a new password', path: required(data, 'link') },
    reason:
      `You get this mail because somebody asked for a new password for your account with ${brand}. ` +
      'If that was not you, ignore it: your password stays as it is.',
  }),

  password_changed: ({ brand, data }) => ({
    subject: `Your password for ${brand} was changed`,
    paragraphs: [
      'The password of your account was changed, and its other sessions have ended.',
      'If it was you, there is nothing to do. If it was not, choose a new password now.',
    ],
    button: { label: 'Choose a new password', path: data['link'] ?? '/reset' },
    reason: `You get this mail because changes like this one matter to the safety of your account.`,
  }),

  mfa_changed: ({ brand, data }) => ({
    subject: `How you sign in to ${brand} was changed`,
    paragraphs: [
      MFA_CHANGES[data['change'] ?? ''] ?? 'The second factor of your account was changed.',
      'If it was you, there is nothing to do. If it was not, choose a new password now and tell ' +
        'the administrators of your workspace.',
    ],
    button: { label: 'Choose a new password', path: data['link'] ?? '/reset' },
    reason: `You get this mail because changes like this one matter to the safety of your account.`,
  }),

  invite: ({ brand, data }) => {
    const workspace = name(data['workspace'], 'a workspace')
    const role = data['role'] === undefined ? '' : `, as ${article(data['role'])}`
    return {
      subject: `Join ${workspace} on ${brand}`,
      paragraphs: [
        `${name(data['inviter'], 'An administrator')} invites you to ${workspace} on ` +
          `${brand}${role}.`,
        'The link works once, within 7 days.',
      ],
      button: { label: 'Accept the invitation', path: required(data, 'link') },
      reason:
        `You get this mail because an administrator of ${workspace} entered this address. If you ` +
        'do not know them, ignore it: nothing happens without your consent.',
    }
  },

  endpoint_disabled: ({ brand, data }) => ({
    subject: `${brand} stopped sending to one of your endpoints`,
    paragraphs: [
      `Your endpoint ${required(data, 'url')} answered 410 Gone, which tells us to send nothing ` +
        'more. It is disabled now.',
      'Events for it are kept. When you resume the endpoint they are delivered, in their order.',
    ],
    button: { label: 'Look at the endpoint', path: required(data, 'link') },
    reason: administrators(data),
  }),

  quota_warning: ({ data }) => {
    const percent = required(data, 'percent')
    const isSpent = Number(percent) >= 100
    // The day of an instant such as 2026-12-01T00:00:00.000Z.
    const day = data['resetsAt']?.slice(0, 10)
    const renewal = day === undefined ? '' : ` It starts anew on ${day}.`
    return {
      subject: isSpent
        ? 'Your workspace has used up its events of this month'
        : `Your workspace has used ${percent} % of its events of this month`,
      paragraphs: [
        `${grouped(required(data, 'used'))} of the ${grouped(required(data, 'limit'))} events that ` +
          'your plan allows ' +
          `a month have been accepted.${renewal}`,
        isSpent
          ? 'Until then new events are refused with QUOTA_EXCEEDED (402). What was accepted goes ' +
            'on to be delivered. A larger plan takes effect at once.'
          : 'At 100 % new events are refused. A larger plan takes effect at once.',
      ],
      button: { label: 'See usage and plans', path: data['link'] ?? '/dashboard/billing' },
      reason: administrators(data),
    }
  },

  alert: ({ brand, data }) => ({
    subject: name(data['subject'], `An alert of ${brand}`, MAX_NAME * 2),
    paragraphs: required(data, 'text')
      .slice(0, MAX_TEXT)
      .split(/\n{2,}/),
    ...(data['link'] === undefined
      ? {}
      : { button: { label: 'See the details', path: data['link'] } }),
    reason: 'You get this mail because an alert rule of your workspace names this address.',
  }),
}

/** Every kind, as metrics name them. */
export const MAIL_KINDS = Object.keys(TEXTS) as MailKind[]

const MFA_CHANGES: Readonly<Record<string, string>> = {
  enabled: 'Two-factor authentication was turned on for your account.',
  disabled: 'Two-factor authentication was turned off for your account.',
  recovery_codes: 'New recovery codes were made for your account; the former ones are void.',
  recovery_code_used: 'Somebody signed in to your account with one of its recovery codes.',
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey was removed from your account.',
}

function administrators(data: Mail['data']): string {
  const workspace = name(data['workspace'], 'its workspace')
  return `You get this mail because you are an administrator of ${workspace}.`
}

function required(data: Mail['data'], key: string): string {
  const value = data[key]
  if (value === undefined) throw new Error(`the data of the mail lacks ${key}`)
  return value
}

/** 1234567 as 1,234,567. */
function grouped(count: string): string {
  return Number(count).toLocaleString('en-US')
}

function article(role: string): string {
  return `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${name(role, 'member')}`
}

/** Made of a letter or digit on both sides: where mail programs would see the name of a host. */
const DOT = /(?<=[\p{L}\p{N}])([.:/])(?=[\p{L}\p{N}/])/gu

/**
 * A name that somebody chose, for a stranger's eyes: control characters and those that turn the
 * direction of writing are gone, and a word joiner keeps mail programs from making a link of it.
 */
function name(text: string | undefined, otherwise: string, max = MAX_NAME): string {
  const line = (text ?? '').replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  if (line === '') return otherwise
  const characters = Array.from(line)
  const short = characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line
  return short.replace(DOT, '\u2060$1')
}
