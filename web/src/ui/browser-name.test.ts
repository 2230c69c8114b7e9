/** User-Agent headers as browsers and programs really send them. */
import { expect, test } from '@jest/globals'
import { browserName } from './browser-name.ts'

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${KHTML} Chrome/156.0.0.0 Safari/537.36`, 'Chrome 156 · Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`,
    'Edge 156 · Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0',
    'Firefox 150 · macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari 19 · iOS',
  ],
  [
    `Mozilla/5.0 (Linux; Android 16) ${KHTML} Chrome/156.0.0.0 Mobile Safari/537.36`,
    'Chrome 156 · Android',
  ],
  ['curl/8.14.1', 'curl/8.14.1'],
  ['node', 'node'],
  ['', ''],
])('%s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})
