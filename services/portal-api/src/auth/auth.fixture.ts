/** A browser that signs up and in at the test portal, and what the mails to its user say. */
import { type ApiResponse, type Json, portal, PUBLIC_URL } from '../portal.fixture.ts'

export interface Browser {
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>
  /** The cookies that it has, by name. */
  cookies: Map<string, string>
}

export function openBrowser(): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async call(method, path, body, headers = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(portal.url + path, {
        method,
        headers: {
          Connection: 'close',
          ...(cookie === '' ? {} : { Cookie: cookie }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      const text = await response.text()
      const parsed = text === '' ? undefined : JSON.parse(text)
      return { status: response.status, headers: response.headers, body: parsed, text }
    },
  }
}

export const PASSWORD = 'correct horse battery'

let counted = 0
export function newEmail(): string {
  counted += 1
  return `person${counted}.${process.pid}@example.com`
}

export interface Person {
  email: string
  browser: Browser
  user: Json
  client: Json
}

/** Signs up and in; the address is verified unless told otherwise. */
export async function addPerson({ verified = true, email = newEmail() } = {}): Promise<Person> {
  const browser = openBrowser()
  const signUp = { email, password: PASSWORD, companyName: 'Widgets' }
  const signedUp = await browser.call('POST', '/auth/signup', signUp)
  if (signedUp.status !== 201) throw new Error(signedUp.text)
  if (verified) {
    const token = await tokenOf(email, 'verify_email')
    await browser.call('POST', '/auth/verify-email', { token })
  }
  const { body } = await logIn(browser, email)
  return { email, browser, ...body }
}

export async function logIn(
  browser: Browser,
  email: string,
  password = PASSWORD,
): Promise<ApiResponse> {
  return await browser.call('POST', '/auth/login', { email, password })
}

/** The mails to an address, the newest first, whether they were sent or wait in the outbox. */
export async function mailsTo(email: string): Promise<{ kind: string; link: string }[]> {
  const { rows } = await portal.pool.query(
    `SELECT id, kind, data->>'link' AS link FROM mails WHERE lower(recipient) = lower($1)
      ORDER BY id DESC`,
    [email],
  )
  // The outbox keeps no link of a mail that was sent.
  return rows.map(({ id, kind, link }) => ({ kind, link: link ?? linkOf(id) }))
}

/** The path in a mail that was sent. */
function linkOf(id: string): string {
  const text = portal.mails.find((mail) => mail.id === id)?.text ?? ''
  const url = /https?:\/\/\S+/.exec(text.slice(text.indexOf(PUBLIC_URL)))?.[0] ?? ''
  return url.slice(PUBLIC_URL.length)
}

/** The token in the newest mail of a kind. */
export async function tokenOf(email: string, kind: string): Promise<string> {
  const mail = (await mailsTo(email)).find((one) => one.kind === kind)
  if (mail === undefined) throw new Error(`no ${kind} to ${email}`)
  return new URL(mail.link, 'https://hooks.example.com').searchParams.get('token') ?? ''
}

/** What was recorded about an address, the oldest first. */
export async function authEvents(subject: string): Promise<string[]> {
  const { rows } = await portal.pool.query(
    'SELECT event FROM auth_audit_logs WHERE lower(subject) = lower($1) ORDER BY id',
    [subject],
  )
  return rows.map(({ event }) => event)
}
