/** Settings are read, defaulted, refused by name, and masked. */
import { expect, test } from '@jest/globals'
import { maskedSettings, readSettings, requireSettings } from './config.ts'

test('without anything set there are only defaults', () => {
  const settings = readSettings({ UNKNOWN: 'x', PORT: '' })
  expect(settings).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 8080,
    KAFKA_BROKERS: [],
    BRAND: 'Service',
  })
  expect(settings.DATABASE_URL).toBeUndefined()
})

test('numbers, lists and flags are read from text', () => {
  const settings = readSettings({ PORT: '0', KAFKA_BROKERS: 'a:1, b:2,', REQUIRE_HTTPS: 'true' })
  expect(settings).toMatchObject({ PORT: 0, KAFKA_BROKERS: ['a:1', 'b:2'], REQUIRE_HTTPS: true })
})

test('every wrong setting is named at once', () => {
  const read = () => readSettings({ PORT: '70000', LOG_LEVEL: 'loud', BOOTSTRAP_API_KEY: 'short' })
  expect(read).toThrow(/PORT[\s\S]*BOOTSTRAP_API_KEY[\s\S]*LOG_LEVEL/)
})

test('a service alone says what it lacks', () => {
  const settings = readSettings({ DATABASE_URL: 'postgres://x' })
  expect(() => requireSettings(settings, ['DATABASE_URL', 'REDIS_URL', 'KAFKA_BROKERS'])).toThrow(
    'Set REDIS_URL, KAFKA_BROKERS',
  )
})

test('secrets are masked, and only where they are set', () => {
  const masked = maskedSettings(
    readSettings({ MASTER_KEY: 'k', DATABASE_URL: 'postgres://u:p@h/d' }),
  )
  expect(masked).toMatchObject({
    MASTER_KEY: '***',
    DATABASE_URL: '***',
    PORT: 8080,
  })
  expect(JSON.stringify(masked)).not.toContain('u:p')
})
