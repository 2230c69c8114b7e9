import { describe, expect, test } from '@jest/globals'
import { openMailSender } from './open-mail.ts'
import { isRefused, parseFrom } from './send-mail.ts'

describe('the sender', () => {
  test.each([
    ['mail@example.com', { name: '', address: 'mail@example.com' }],
    ['<mail@example.com>', { name: '', address: 'mail@example.com' }],
    ['Acme, Inc. <mail@example.com>', { name: 'Acme, Inc.', address: 'mail@example.com' }],
  ])('%s is understood', (text, expected) => {
    expect(parseFrom(text)).toEqual(expected)
  })

  test.each([
    '',
    'Acme',
    'a@b@c',
    'Acme <mail@example.com',
    'a@example.com, b@example.com',
    'a b@c',
  ])('%j is no sender', (text) => {
    expect(() => parseFrom(text)).toThrow('MAIL_FROM')
  })

  test('is required with a server', () => {
    const settings = { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: undefined }
    expect(() => openMailSender(settings, 'https://a.example', { info: () => {} })).toThrow(
      'Set MAIL_FROM',
    )
  })
})

test('without a server the log has the link, and whoever keeps mails gets them', async () => {
  const lines: unknown[] = []
  const kept: unknown[] = []
  const send = openMailSender(
    { SMTP_URL: undefined, MAIL_FROM: undefined },
    'https://a.example',
    { info: (name, fields) => void lines.push({ name, ...fields }) },
    (mail) => void kept.push(mail),
  )
  const mail = {
    id: 'm1',
    to: 'ada@example.com',
    kind: 'reset_password',
    subject: 'Choose a new password',
    text: 'text',
    html: 'html',
    link: 'https://a.example/reset?token=s',
  }
  await send(mail)
  const { id: mailId, kind, to, subject, link } = mail
  expect(lines).toEqual([{ name: 'mail.logged', mailId, kind, to, subject, link }])
  expect(kept).toEqual([mail])
})

test.each([
  [{ code: 'EENVELOPE', responseCode: 550 }, true],
  [{ code: 'EMESSAGE', responseCode: 554 }, true],
  [{ code: 'EENVELOPE', responseCode: 451 }, false],
  [{ code: 'EAUTH', responseCode: 535 }, false],
  [{ code: 'ECONNECTION' }, false],
  [new Error('something'), false],
])('the error %j is final: %s', (error, expected) => {
  expect(isRefused(error)).toBe(expected)
})
