/** A workspace of ours whose people sign in at an identity provider, and what can be seen of it. */
import { randomBytes } from 'node:crypto'
import { eventually } from '@posthorn/testing/eventually'
import type { Answer, Product } from '../e2e/posthorn.ts'
import { type FormBrowser, formOf, type Visit } from './form-browser.ts'
import { PASSWORD } from './keycloak-realm.ts'

export interface SsoWorkspace {
  url: string
  /** As the workspace's admin. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** How somebody is listed among the people of the workspace. */
  memberOf(email: string): Promise<{ role: string; source: string } | undefined>
  /** The address of the person whose session a browser has; null: it has none. */
  signedInAs(browser: FormBrowser): Promise<string | null>
}

/** Signs an admin up, and follows the link in the mail. */
export async function addSsoWorkspace({ url, call }: Product): Promise<SsoWorkspace> {
  const email = `admin-${randomBytes(6).toString('hex')}@example.com`
  const person = { email, password: PASSWORD }
  must(201, await call('POST', '/auth/signup', { ...person, companyName: 'Widgets' }, NO_KEY))
  const link = await eventually(async () => {
    const mailbox = await call('GET', `/receiver/mail?to=${encodeURIComponent(email)}`)
    return new URL(mailbox.body.mails[0].link as string)
  })
  const token = link.searchParams.get('token')
  must(200, await call('POST', '/auth/verify-email', { token }, NO_KEY))
  const loggedIn = must(200, await call('POST', '/auth/login', person, NO_KEY))
  const cookie = loggedIn.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  const headers = { 'X-API-Key': '', Cookie: cookie.join('; ') }
  const asAdmin: SsoWorkspace['call'] = async (method, path, body) =>
    await call(method, path, body, headers)
  return {
    url,
    call: asAdmin,
    async memberOf(wanted) {
      const team = must(200, await asAdmin('GET', '/api/v1/team'))
      const people = team.body.data as { email: string; role: string; source: string }[]
      const [one, ...more] = people.filter((member) => member.email === wanted)
      if (more.length > 0) throw new Error(`${wanted} is a member ${more.length + 1} times`)
      return one === undefined ? undefined : { role: one.role, source: one.source }
    },
    async signedInAs(browser) {
      const { status, text } = await browser.go(`${url}/auth/session`)
      if (status !== 200) return null
      return (JSON.parse(text) as { user: { email: string } }).user.email
    },
  }
}

/** The key of the run is of another workspace. */
const NO_KEY = { 'X-API-Key': '' }

export function must(status: number, answer: Answer): Answer {
  if (answer.status === status) return answer
  throw new Error(`expected ${status}, not ${answer.status}: ${answer.text.slice(0, 500)}`)
}

/** Begins a sign-in, and gives the provider's form an address and the password. */
export async function fillInLogin(
  browser: FormBrowser,
  { loginUrl, email }: { loginUrl: string; email: string },
  until?: (url: URL) => boolean,
): Promise<Visit> {
  const page = await browser.go(loginUrl)
  return await browser.submit(formOf(page), { username: email, password: PASSWORD }, until)
}

/** The `error` of our login page, which a refused sign-in ends on. */
export function errorOf({ url }: Visit): string | null {
  return url.pathname === '/login' ? url.searchParams.get('error') : null
}

const SIGN_INS = 5

/** Milliseconds of a sign-in that ends on our first page, the middle one of several. */
export async function medianMs(signIn: () => Promise<Visit>): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < SIGN_INS; count += 1) {
    const start = performance.now()
    const { url } = await signIn()
    if (url.pathname !== '/dashboard') throw new Error(`a sign-in ended at ${url.href}`)
    times.push(performance.now() - start)
  }
  return Math.round(times.sort((a, b) => a - b)[Math.floor(SIGN_INS / 2)] ?? 0)
}
