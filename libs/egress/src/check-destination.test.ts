import { describe, expect, test } from '@jest/globals'
import { checkDestination, type DestinationPolicy } from './check-destination.ts'
import {
  BLOCKED_ADDRESSES,
  BLOCKED_NAMES,
  BLOCKED_SPELLINGS,
  NO_DESTINATIONS,
} from './refused-destinations.fixture.ts'

const open: DestinationPolicy = { allowCidrs: [], requireHttps: false }
const loopback: DestinationPolicy = { ...open, allowCidrs: ['127.0.0.0/8'] }
const privateNets: DestinationPolicy = { ...open, allowCidrs: ['172.16.0.0/12'] }

function outcome(text: string, policy = open): string {
  return checkDestination(text, policy).outcome
}

describe('addresses', () => {
  test.each(BLOCKED_ADDRESSES)('http://%s/ is blocked', (host) => {
    expect(outcome(`http://${host}/`)).toBe('blocked')
    expect(outcome(`https://${host}:8443/hook?a=b`)).toBe('blocked')
  })

  test.each(BLOCKED_SPELLINGS)('%p is blocked', (text) => {
    expect(outcome(text)).toBe('blocked')
  })

  test('the reason names the address and its range', () => {
    expect(checkDestination('http://0x7f.1/', open)).toEqual({
      outcome: 'blocked',
      reason: '127.0.0.1 is loopback (127.0.0.0/8)',
    })
  })

  test.each(['http://1.1.1.1/', 'https://[2606:4700::1111]/', 'http://00000127.0.0.1/'])(
    '%s is public',
    (text) => {
      expect(outcome(text)).toBe('ok')
    },
  )
})

describe('names', () => {
  test.each(BLOCKED_NAMES)('%s is blocked', (host) => {
    expect(outcome(`http://${host}:9000/`)).toBe('blocked')
  })

  // These lead to loopback all the same, but only a resolver knows that: egress stops them when it
  // connects.
  test.each(['example.com', '127.0.0.1.nip.io', 'localtest.me', 'localhost.example', 'local.dev'])(
    '%s is left to connect time',
    (host) => {
      expect(outcome(`https://${host}/hook`)).toBe('ok')
    },
  )
})

describe('what is no destination', () => {
  test.each(NO_DESTINATIONS)('%p is invalid', (text) => {
    expect(outcome(text)).toBe('invalid')
  })

  test('a backslash ends the host, so what follows is a path', () => {
    const checked = checkDestination('http://example.com\\@127.0.0.1/', open)
    expect(checked).toMatchObject({ outcome: 'ok', url: { hostname: 'example.com' } })
  })

  test('2,048 characters are the most', () => {
    const base = 'https://example.com/'
    expect(outcome(base.padEnd(2048, 'a'))).toBe('ok')
    expect(outcome(base.padEnd(2049, 'a'))).toBe('invalid')
  })

  test('http is invalid where https is required', () => {
    const strict = { ...open, requireHttps: true }
    expect(outcome('http://example.com/', strict)).toBe('invalid')
    expect(outcome('https://example.com/', strict)).toBe('ok')
  })
})

describe('exemptions', () => {
  test.each([
    'http://localhost:9000',
    'http://127.0.0.1:9000',
    'http://a.localhost/',
    'http://127.1/',
  ])('%s is accepted when 127.0.0.0/8 is exempted', (text) => {
    expect(outcome(text, loopback)).toBe('ok')
  })

  test.each([
    'http://10.0.0.1/',
    'http://redis:6379/',
    'http://metadata.google.internal/',
    'http://[::1]/',
  ])('%s is not', (text) => {
    expect(outcome(text, loopback)).toBe('blocked')
  })

  test('a name of a private network is let through when more than loopback is exempted', () => {
    expect(outcome('http://sink:9000/', privateNets)).toBe('ok')
    expect(outcome('http://sink.default.svc/', privateNets)).toBe('ok')
    expect(outcome('http://172.17.0.2/', privateNets)).toBe('ok')
    expect(outcome('http://localhost/', privateNets)).toBe('blocked')
    expect(outcome('http://metadata.google.internal/', privateNets)).toBe('blocked')
  })

  test('localhost is accepted when ::1 alone is exempted', () => {
    expect(outcome('http://localhost/', { ...open, allowCidrs: ['::1/128'] })).toBe('ok')
  })
})

describe('the own receiver', () => {
  const policy: DestinationPolicy = {
    ...open,
    demoReceiver: { origin: 'http://127.0.0.1:8080', pathPrefix: '/receiver/' },
  }

  test.each([
    'http://127.0.0.1:8080/receiver/first',
    'http://127.0.0.1:8080/receiver/first?status=500&times=2',
    'http://127.1:8080/receiver/a/../b',
    'http://127.0.0.1:8080/receiver/with%20space',
  ])('%s is accepted', (text) => {
    expect(outcome(text, policy)).toBe('ok')
  })

  test.each([
    'http://127.0.0.1:8080/receiver/',
    'http://127.0.0.1:8080/receiver',
    'http://127.0.0.1:8080/receivers/x',
    'http://127.0.0.1:8080/api/v1/events',
    'http://127.0.0.1:8080/receiver/../api/v1/events',
    'http://127.0.0.1:8080/receiver/%2e%2e/api/v1/events',
    'http://127.0.0.1:8080/receiver/..%2fapi',
    'http://127.0.0.1:8080/receiver/%2e%2e%2fapi',
    'http://127.0.0.1:8080/receiver/..%5capi',
    'http://127.0.0.1:8080/receiver/%252e%252e%252fapi',
    'http://127.0.0.1:8080/receiver/x/y',
    'http://127.0.0.1:8080//receiver/x',
    'http://127.0.0.1:8081/receiver/x',
    'http://127.0.0.2:8080/receiver/x',
    'https://127.0.0.1:8080/receiver/x',
    'http://localhost:8080/receiver/x',
  ])('%s is not', (text) => {
    expect(outcome(text, policy)).toBe('blocked')
  })
})
