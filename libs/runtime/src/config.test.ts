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
    readSettings({
      MASTER_KEY: 'k',
      DATABASE_URL: 'postgres://u:p@h/d',
      SMTP_URL: 'smtp://u:p@h',
      STRIPE_SECRET_KEY: 'sk',
      STRIPE_WEBHOOK_SECRET: 'whsec',
    }),
  )
  expect(masked).toMatchObject({
    MASTER_KEY: '***',
    DATABASE_URL: '***',
    SMTP_URL: '***',
    STRIPE_SECRET_KEY: '***',
    STRIPE_WEBHOOK_SECRET: '***',
    PORT: 8080,
  })
  expect(JSON.stringify(masked)).not.toContain('u:p')
})

test('prices are read from JSON, one id or several', () => {
  const STRIPE_PRICES = '{"starter":{"monthly":"price_1"},"scale":{"annual":["price_2","price_3"]}}'
  expect(readSettings({ STRIPE_PRICES }).STRIPE_PRICES).toEqual({
    starter: { monthly: ['price_1'] },
    scale: { annual: ['price_2', 'price_3'] },
  })
})

test.each([
  ['{', /STRIPE_PRICES: must be JSON, such as/],
  ['{"gold":{"monthly":"price_1"}}', /STRIPE_PRICES/],
  ['{"scale":{"weekly":"price_1"}}', /STRIPE_PRICES\.scale/],
  ['{"scale":{"monthly":"price 1"}}', /STRIPE_PRICES\.scale\.monthly/],
  [
    '{"scale":{"monthly":"price_1","annual":"price_1"}}',
    /STRIPE_PRICES: must name each price once/,
  ],
])('the prices %s are refused by name', (STRIPE_PRICES, expected) => {
  expect(() => readSettings({ STRIPE_PRICES })).toThrow(expected)
})

test('who may frame the portal are origins, and nothing that could change the header', () => {
  const name = 'SUBACCOUNT_ALLOWED_FRAME_ANCESTORS'
  const list = 'https://app.example.com, http://localhost:3000,https://*.example.org'
  expect(readSettings({ [name]: list })[name]).toEqual([
    'https://app.example.com',
    'http://localhost:3000',
    'https://*.example.org',
  ])
  for (const wrong of ['app.example.com', "'self'", 'https://a.example/path', '*', 'https://a;b'])
    expect(() => readSettings({ [name]: wrong })).toThrow(name)
  expect(() => readSettings({ [name]: "https://a.example 'unsafe-inline'" })).toThrow(name)
})

test('the key of the portal’s sessions is long, and masked', () => {
  expect(() => readSettings({ SUBACCOUNT_JWT_SECRET: 'x'.repeat(31) })).toThrow('JWT_SECRET')
  const settings = readSettings({ SUBACCOUNT_JWT_SECRET: 'x'.repeat(32) })
  expect(maskedSettings(settings)['SUBACCOUNT_JWT_SECRET']).toBe('***')
})
