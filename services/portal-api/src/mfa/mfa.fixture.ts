/** People with a second factor. For tests. */
import { generateSync } from 'otplib'
import { addPerson, type Browser, logIn, openBrowser, type Person } from '../auth/auth.fixture.ts'
import { type Json, portal } from '../portal.fixture.ts'

export interface PersonWithMfa extends Person {
  secret: string
  recoveryCodes: string[]
}

export function codeOf(secret: string, secondsAgo = 0): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) - secondsAgo })
}

/** Six digits that are no code of these minutes. */
export function wrongCodeOf(secret: string): string {
  const near = [-60, -30, 0, 30, 60].map((seconds) => codeOf(secret, seconds))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => !near.includes(code),
  ) as string
}

/** Sets up a second factor in the browser; the code of this step can be used once more. */
export async function enableMfa(
  browser: Browser,
): Promise<Pick<PersonWithMfa, 'secret' | 'recoveryCodes'>> {
  const { body: enrolment } = await browser.call('POST', '/auth/mfa/enroll')
  const { secret } = enrolment
  const answer = await browser.call('POST', '/auth/mfa/activate', { code: codeOf(secret) })
  if (answer.status !== 200) throw new Error(answer.text)
  await forgetStep(browser)
  return { secret, recoveryCodes: answer.body.recoveryCodes }
}

/** As if the last code had been used long ago. */
export async function forgetStep(browser: Browser): Promise<void> {
  const { body } = await browser.call('GET', '/auth/session')
  await portal.pool.query('UPDATE users SET totp_last_step = 0 WHERE id = $1', [body.user.id])
}

export async function addPersonWithMfa(): Promise<PersonWithMfa> {
  const person = await addPerson()
  return { ...person, ...(await enableMfa(person.browser)) }
}

/** A browser whose login waits for the second factor. */
export async function pendingBrowser(email: string): Promise<Browser> {
  const browser = openBrowser()
  const { body }: { body: Json } = await logIn(browser, email)
  if (body.mfaRequired !== true) throw new Error(JSON.stringify(body))
  return browser
}
