/** Names of endpoints. */
import { expect, test } from '@jest/globals'
import { endpointName } from './endpoint-name.ts'

test.each([
  ['Orders', 'https://example.com/hook', 'Orders'],
  [null, 'https://example.com:8443/hook/?token=secret', 'example.com:8443/hook'],
  ['', 'https://example.com/', 'example.com'],
  [null, 'not a URL', 'not a URL'],
])('%p at %p is %p', (description, url, name) => {
  expect(endpointName({ description, url })).toBe(name)
})
