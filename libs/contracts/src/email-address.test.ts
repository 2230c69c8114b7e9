import { expect, test } from '@jest/globals'
import { EmailAddress, emailDomain, MAX_EMAIL_CHARACTERS } from './email-address.ts'

const LONGEST = `${'a'.repeat(64)}@${`${'b'.repeat(61)}.`.repeat(3)}co`

test.each([
  'ann@example.com',
  'ann.lee+hooks@mail.example.co.uk',
  "o'brien@example.com",
  'a@localhost',
  'a@xn--bcher-kva.example',
  `${'a'.repeat(64)}@b.example`,
  `${LONGEST}m`,
])('%s is one address', (email) => expect(EmailAddress.parse(email)).toBe(email))

test('is kept in lower case', () => {
  expect(EmailAddress.parse('Ann@Example.COM')).toBe('ann@example.com')
})

test.each([
  ['CR and LF', 'a@x.example\r\nBcc: e@y.example'],
  ['LF alone', 'a@x.example\n'],
  ['NUL', 'a@x.example\0'],
  ['a comma', 'a@x.example,e@y.example'],
  ['a comma before the @', 'a,e@y.example'],
  ['a semicolon', 'a@x.example;e@y.example'],
  ['a name', 'Ann <ann@example.com>'],
  ['brackets', '<ann@example.com>'],
  ['a quoted local part', '"ann lee"@example.com'],
  ['a comment', 'ann(e)@example.com'],
  ['a group', 'friends:ann@example.com;'],
  ['two @', 'a@b@example.com'],
  ['a space', 'a @example.com'],
  ['a space around', ' a@example.com'],
  ['no domain', 'a@'],
  ['no local part', '@example.com'],
  ['no @', 'example.com'],
  ['nothing', ''],
  ['two dots', 'a..b@example.com'],
  ['a dot first', '.a@example.com'],
  ['an empty label', 'a@example..com'],
  ['a dot last', 'a@example.com.'],
  ['a label with a hyphen last', 'a@example-.com'],
  ['an address literal', 'a@[127.0.0.1]'],
  ['letters that lower case changes into others', 'mi\u{212A}e@example.com'],
  ['a domain with other letters', 'a@bücher.example'],
  ['a source route', '@relay.example:a@example.com'],
  ['percent and bang, with a second domain', 'a%b@c@example.com'],
  ['a local part of 65 characters', `${'a'.repeat(65)}@b.example`],
  ['a label of 64 characters', `a@${'b'.repeat(64)}.example`],
  ['255 characters', `${LONGEST}mm`],
])('%s is refused', (_, email) => {
  const read = EmailAddress.safeParse(email)
  expect(read.error?.issues[0]?.message).toMatch(/must be one e-mail address|Too big/)
})

test('the longest address has 254 characters', () => {
  expect(`${LONGEST}m`).toHaveLength(MAX_EMAIL_CHARACTERS)
})

test.each(['a.', 'a', 'a-', '@', '-'])('a million characters of %s are refused', (part) => {
  for (const text of [`a@${part.repeat(500_000)}`, part.repeat(500_000)]) {
    expect(EmailAddress.safeParse(text).success).toBe(false)
  }
})

test('the domain', () => expect(emailDomain('ann@mail.example.com')).toBe('mail.example.com'))
