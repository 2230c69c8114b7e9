import { expect, test } from '@jest/globals'
import { acceptedAnswer, refusalHeaders } from './answers.ts'
import type { Preset } from './preset.ts'
import { preset as stripe } from './platforms/stripe.ts'
import type { InboundRequest } from './request.ts'

function post(headers: Record<string, string>): InboundRequest {
  return {
    method: 'POST',
    url: new URL('https://hooks.example.com/inbound/abcdefgh'),
    headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: Buffer.from(''),
    receivedAt: 0,
  }
}

test('an accepted event is a 202 with its id unless the platform demands more', () => {
  expect(acceptedAnswer(stripe, post({}))).toEqual({ status: 202, headers: {}, body: null })
  const preset: Preset = {
    ...stripe,
    accepted: { status: 200, body: 'Hello', type: 'text/plain', echo: 'X-Client' },
  }
  expect(acceptedAnswer(preset, post({ 'x-client': 'abc' }))).toEqual({
    status: 200,
    headers: { 'content-type': 'text/plain', 'X-Client': 'abc' },
    body: 'Hello',
  })
  expect(acceptedAnswer(preset, post({ 'x-client': 'a\r\nb' })).headers).not.toHaveProperty(
    'X-Client',
  )
})

test('where a name and a password may be sent they are asked for', () => {
  const preset: Preset = {
    ...stripe,
    verify: { kind: 'any', of: [stripe.verify, { kind: 'basic' }] },
  }
  expect(refusalHeaders(preset)).toEqual({ 'www-authenticate': 'Basic realm="webhooks"' })
  expect(refusalHeaders(stripe)).toEqual({})
})
