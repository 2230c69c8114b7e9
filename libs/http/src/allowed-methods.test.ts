import { expect, test } from '@jest/globals'
import { createAllowedMethods } from './allowed-methods.ts'

const allowed = createAllowedMethods([
  { method: 'POST', path: '/events' },
  { method: 'GET', path: '/events' },
  { method: 'POST', path: '/events/batch' },
  { method: 'GET', path: '/events/:id' },
  { method: 'PATCH', path: '/events/:id' },
  { method: 'GET', path: '/types/by-name/:name' },
])

test.each([
  ['/events', 'GET HEAD POST OPTIONS'],
  ['/events/', 'GET HEAD POST OPTIONS'],
  ['/events/batch', 'POST OPTIONS'],
  ['/events/other', 'GET HEAD PATCH OPTIONS'],
  ['/types/by-name/a%2Fb', 'GET HEAD OPTIONS'],
  ['/types/by-name', ''],
  ['/events//', ''],
  ['/', ''],
  ['/Events', ''],
])('%s knows %s', (path, methods) => {
  expect(allowed(path).join(' ')).toBe(methods)
})
