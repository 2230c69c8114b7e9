import { expect, test } from '@jest/globals'
import { isSameOrigin } from './same-origin.ts'

const PUBLIC = 'https://hooks.example.com'
const HOST = { host: '127.0.0.1:8080' }

test.each([
  ['no browser sent it', {}, true],
  ['the page of our own', { 'sec-fetch-site': 'same-origin', origin: PUBLIC }, true],
  ['typed by its user', { 'sec-fetch-site': 'none' }, true],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, false],
  ['another name of our site', { 'sec-fetch-site': 'same-site', origin: PUBLIC }, false],
  ['an old browser on our page', { origin: PUBLIC }, true],
  ['an old browser on our host', { origin: 'http://127.0.0.1:8080' }, true],
  ['an old browser on another port', { origin: 'http://127.0.0.1:9090' }, false],
  ['an old browser elsewhere', { origin: 'http://evil' }, false],
  ['a sandboxed frame', { origin: 'null' }, false],
  [
    'a sandboxed frame that claims more',
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    false,
  ],
  ['nonsense', { origin: 'evil' }, false],
])('%s', (_, headers, passes) => {
  expect(isSameOrigin('POST', { ...HOST, ...headers }, PUBLIC)).toBe(passes)
  expect(isSameOrigin('DELETE', { ...HOST, ...headers }, PUBLIC)).toBe(passes)
  expect(isSameOrigin('GET', { ...HOST, ...headers }, PUBLIC)).toBe(true)
})
