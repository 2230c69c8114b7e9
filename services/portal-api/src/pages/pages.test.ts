/** Which paths are pages, and the headers that pages and their files have. */
import { expect, test } from '@jest/globals'
import { createPages, openShell } from './pages.ts'

const FILES = {
  shells: { dashboard: '<meta nonce="__NONCE__">', portal: '<p nonce="__NONCE__">' },
  assets: new Map([
    [
      '/assets/dashboard-1a2b.js',
      {
        contentType: 'text/javascript; charset=utf-8',
        bodies: new Map([
          ['identity' as const, Buffer.from('let a')],
          ['br' as const, Buffer.from('br')],
        ]),
      },
    ],
  ]),
}
const pages = createPages(FILES)
const get = (path: string, acceptEncoding = '') => pages({ path, acceptEncoding })

test.each([
  '/dashboard',
  '/dashboard/',
  '/dashboard/events/019aa000-0000-7000-8000-000000000000',
  '/login',
  '/signup',
  '/invite',
  '/reset',
  '/verify',
])('%s is the dashboard', (path) => {
  expect(get(path)?.body).toMatch(/^<meta nonce="[A-Za-z0-9+/=]{24}">$/)
})

test.each(['/api/v1/events', '/auth/login', '/portal', '/portal/a', '/dashboards', '/assets/x.js'])(
  '%s is no page',
  (path) => expect(get(path)).toBeNull(),
)

test('each answer has a nonce of its own, which its policy names', () => {
  const [one, other] = [get('/login'), get('/login')]
  const nonceOf = (body: unknown) => /nonce="([^"]+)"/.exec(String(body))?.[1] as string
  expect(nonceOf(one?.body)).not.toBe(nonceOf(other?.body))
  expect(one?.headers['Content-Security-Policy']).toContain(`'nonce-${nonceOf(one?.body)}'`)
  expect(one?.headers).toMatchObject({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  })
})

test('a shell may be framed by whom its directive names, and the dashboard by nobody', () => {
  const { policy } = openShell('<p>', 'frame-ancestors https://shop.example')
  expect(policy).toContain('; frame-ancestors https://shop.example;')
  const dashboard = get('/dashboard')
  expect(dashboard?.headers['Content-Security-Policy']).toContain("frame-ancestors 'none'")
})

test('a file is kept for ever and comes compressed to whoever takes that', () => {
  expect(get('/assets/dashboard-1a2b.js', 'gzip, br;q=1')).toMatchObject({
    status: 200,
    headers: {
      'Content-Encoding': 'br',
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
    },
    body: Buffer.from('br'),
  })
  expect(get('/assets/dashboard-1a2b.js', 'gzip')).toMatchObject({ body: Buffer.from('let a') })
})

test('without a build the pages say how to make one, and the root still leads to them', () => {
  const unbuilt = createPages({ shells: { dashboard: null, portal: null }, assets: new Map() })
  expect(unbuilt({ path: '/login', acceptEncoding: '' })).toMatchObject({ status: 503 })
  expect(get('/')).toMatchObject({ status: 302, headers: { Location: '/dashboard' } })
})
