/**
 * Whether a session with the operator's mail server must be encrypted. A server that offers no
 * encryption, or somebody in between who takes the offer out, would otherwise be told the password
 * in plain text.
 */

/** What of nodemailer's settings in the query says that it may stay as it is. */
const MAY_BE_PLAIN: readonly (readonly [name: string, value: string])[] = [
  ['ignoreTLS', 'true'],
  ['opportunisticTLS', 'true'],
  ['requireTLS', 'false'],
]

/** @param url `SMTP_URL` */
export function requiresTls(url: string): boolean {
  const { username, password, searchParams } = new URL(url)
  if (username === '' && password === '') return false
  return !MAY_BE_PLAIN.some(([name, value]) => searchParams.get(name) === value)
}
