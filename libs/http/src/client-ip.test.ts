import type { Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import { clientIpOf } from './client-ip.ts'

function request(forwarded?: string) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return { headers, socket: { remoteAddress: '10.0.0.1' } as Socket }
}

test.each([
  [undefined, 0, '10.0.0.1'],
  [undefined, 1, '10.0.0.1'],
  ['203.0.113.7', 0, '10.0.0.1'],
  ['203.0.113.7', 1, '203.0.113.7'],
  ['6.6.6.6, 203.0.113.7', 1, '203.0.113.7'],
  ['6.6.6.6, 203.0.113.7, 10.0.0.2', 2, '203.0.113.7'],
  ['203.0.113.7', 2, '203.0.113.7'],
  ['2001:db8::1', 1, '2001:db8::1'],
  ['nonsense', 1, '10.0.0.1'],
  ['', 1, '10.0.0.1'],
])('%p behind %d proxies is %s', (forwarded, proxies, ip) => {
  expect(clientIpOf(request(forwarded), proxies)).toBe(ip)
})
