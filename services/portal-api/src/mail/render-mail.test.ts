import { describe, expect, test } from '@jest/globals'
import type { MailKind } from './enqueue-mail.ts'
import { MAIL_KINDS } from './mail-texts.ts'
import { createRenderMail } from './render-mail.ts'

const render = createRenderMail({ brand: 'Acme', publicUrl: 'https://hooks.example.com/app' })

const DATA: Readonly<Record<MailKind, Readonly<Record<string, string>>>> = {
  verify_email: { link: '/verify?token=abc' },
  known_email: {},
  reset_password: { link: '/reset?token=abc' },
  password_changed: {},
  mfa_changed: { change: 'disabled' },
  invite: { link: '/invite?token=abc', workspace: 'Example', inviter: 'Ada', role: 'editor' },
  endpoint_disabled: { link: '/endpoints/1', url: 'https://example.com/in', workspace: 'Example' },
  quota_warning: {
    percent: '80',
    used: '4000',
    limit: '5000',
    resetsAt: '2026-12-01T00:00:00.000Z',
  },
  alert: { subject: 'Failures above 5 %', text: 'One.\n\nTwo.', link: '/alerts' },
}

function rendered(kind: MailKind, data: Readonly<Record<string, string>> = {}) {
  return render({ to: 'ada@example.com', kind, data: { ...DATA[kind], ...data } })
}

describe('every kind of mail', () => {
  test.each(MAIL_KINDS)('%s says the same in plain text and in HTML', (kind) => {
    const mail = rendered(kind)
    expect(mail.subject).toMatch(/^[^\r\n]{5,120}$/)
    const words = mail.html
      .replace(/<[^>]*>/g, ' ')
      .replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    for (const line of mail.text
      .split('\n')
      .filter((one) => /\w/.test(one) && !/^Acme ·|:$/.test(one)))
      expect(words).toContain(line)
    expect(mail.text).toContain('You get this mail because')
    expect(mail.text).not.toMatch(/undefined|\[object/)
  })

  test.each(MAIL_KINDS)('%s has one button, below the public URL', (kind) => {
    const { link, html, text } = rendered(kind)
    expect(link).toMatch(/^https:\/\/hooks\.example\.com\/app\/[a-z]/)
    expect(text).toContain(link)
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)
    expect(new Set(targets)).toEqual(new Set([link]))
  })
})

describe('links', () => {
  test.each([
    'https://evil.example',
    '//evil.example/x',
    '/\\evil.example',
    'login',
    '/a b',
    '/a\n',
  ])('are paths of our own: %j is refused', (link) => {
    expect(() => rendered('reset_password', { link })).toThrow('is no path')
  })

  test('that carry a secret are required', () => {
    expect(() => render({ to: 'a@example.com', kind: 'invite', data: {} })).toThrow('lacks link')
  })
})

describe('what people chose', () => {
  test('is escaped', () => {
    const { html } = rendered('invite', { workspace: '<img src=x onerror="a()">&' })
    expect(html).not.toContain('<img')
    expect(html).toContain('&#60;img')
  })

  test('stays on one line, without control characters, and short', () => {
    const { subject } = rendered('invite', {
      workspace: `A\r\nBcc: eve@example.com\u202e\u0000${'x'.repeat(500)}`,
    })
    expect(subject).toMatch(/^Join A Bcc/)
    expect(subject).not.toMatch(/[\p{Cc}\u202e]/u)
    expect(Array.from(subject).length).toBeLessThan(100)
  })

  test('becomes no link by itself', () => {
    const { text } = rendered('invite', { workspace: 'win at https://evil.example/now' })
    expect(text).not.toContain('evil.example')
    expect(text).toContain('evil\u2060.example')
  })
})

test('a kind of a newer version has no text here', () => {
  const kind = 'toString' as MailKind
  expect(() => render({ to: 'a@example.com', kind, data: {} })).toThrow('there is no text')
})

test('a spent quota says what is refused', () => {
  const { subject, text } = rendered('quota_warning', { percent: '100' })
  expect(subject).toContain('used up')
  expect(text).toContain('QUOTA_EXCEEDED')
  expect(text).toContain('4,000 of the 5,000 events')
  expect(text).toContain('It starts anew on 2026-12-01.')
})
