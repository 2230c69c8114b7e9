import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { WebhookVerificationError } from './errors.ts'
import { sign, verify } from './webhooks.ts'

interface Vector {
  name: string
  body: string
  headers: Record<string, string>
  secrets: string[]
  now: number
  valid: boolean
}
const file = new URL('../../webhook-vectors.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Vector[] }

describe('the vectors that all SDKs share', () => {
  test.each(cases)('$name', async ({ body, headers, secrets, now, valid }) => {
    for (const raw of [body, new TextEncoder().encode(body)]) {
      const verified = verify(raw, headers, secrets, { now: now * 1_000 })
      if (valid) expect((await verified).payload).toEqual(JSON.parse(body))
      else await expect(verified).rejects.toThrow(WebhookVerificationError)
    }
  })
})

test('what is signed is verified, by fetch’s headers too, under another brand', async () => {
  const body = '{"a":1}'
  const headers = new Headers(await sign(body, 'secret', { id: 'e1', brand: 'Acme' }))
  expect(headers.get('x-acme-event-id')).toBe('e1')
  headers.set('x-acme-event-type', 'a.made')
  const event = await verify(body, headers, 'secret', { brand: 'Acme' })
  expect([event.id, event.eventType, event.payload]).toEqual(['e1', 'a.made', { a: 1 }])
  await expect(verify(body, headers, 'secret')).rejects.toThrow('x-service-signature')
  for (const none of ['', [], ['secret', '']])
    await expect(verify(body, headers, none)).rejects.toThrow(TypeError)
})
