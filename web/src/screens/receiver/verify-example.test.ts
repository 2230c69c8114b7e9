/** The example that is shown verifies what the service signs, and nothing else. */
import { expect, test } from '@jest/globals'
import { serviceSignature } from '@posthorn/domain/signature'
import { verifyExample } from './verify-example.ts'

const NAMES = { timestamp: 'x-service-timestamp', signature: 'x-service-signature' }

test('the code that a reader copies works as it stands', async () => {
  const code = `data:text/javascript,${encodeURIComponent(verifyExample(NAMES, 300))}`
  const { isGenuine } = (await import(code)) as {
    isGenuine(body: string, headers: Record<string, unknown>, secret: string): boolean
  }
  const now = Math.floor(Date.now() / 1_000)
  const signed = (timestamp: number, body = '{}') => ({
    [NAMES.timestamp]: timestamp,
    [NAMES.signature]: serviceSignature('whsec_abc', timestamp, body),
  })
  expect(isGenuine('{}', signed(now), 'whsec_abc')).toBe(true)
  expect(isGenuine('{ }', signed(now), 'whsec_abc')).toBe(false)
  expect(isGenuine('{}', signed(now), 'whsec_other')).toBe(false)
  expect(isGenuine('{}', signed(now - 400), 'whsec_abc')).toBe(false)
  expect(isGenuine('{}', { [NAMES.timestamp]: now }, 'whsec_abc')).toBe(false)
})
