import { describe, expect, test } from '@jest/globals'
import { isAtLeast, leastRoleOf } from '@posthorn/domain/roles'
import { SCOPES } from '@posthorn/domain/scopes'
import { ApiError, ERROR_STATUS } from './errors.ts'
import { maxBodyBytes, type Route, routeCatalog } from './routes.ts'

const routes: [string, Route][] = Object.entries(routeCatalog('Service'))

test('no two routes have one method and path', () => {
  const keys = routes.map(([, route]) => `${route.method} ${route.path.replaceAll(/:\w+/g, ':')}`)
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})

test('a fixed path stands before the one with a parameter that would take it, within a service', () => {
  for (const [at, [name, route]] of routes.entries()) {
    const pattern = new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/:]+')}$`)
    const hidden = routes
      .slice(at + 1)
      .filter(([, later]) => later.method === route.method && later.service === route.service)
      .filter(([, later]) => pattern.test(later.path))
    expect([name, hidden.map(([other]) => other)]).toEqual([name, []])
  }
})

/** Deletions that are confirmed: by a password, by the workspace's name. */
const PROVED = ['/auth/mfa', '/api/v1/gdpr/data']

describe.each(routes)('%s', (_, route) => {
  test('is well formed', () => {
    expect(route.path).toMatch(
      /^\/(api\/v1|auth|scim\/v2|sub-account-api|portal)(\/(:[a-zA-Z]+|[a-z]+(-[a-z]+)*|[A-Z][A-Za-z]+|\.search))+$/,
    )
    expect(route.path.startsWith('/scim/')).toBe(route.access.by === 'scim-token')
    const isExchange = route.path === '/sub-account-api/auth/exchange'
    const isPortals = route.path.startsWith('/sub-account-api/') && !isExchange
    expect(route.access.by === 'sub-account').toBe(isPortals)
    if (route.access.by === 'member') expect(SCOPES).toContain(route.access.scope)
    expect(route.summary).toMatch(/^[A-Z].*[^.]$/)
    const isJson =
      ![204, 303].includes(route.status) && !['xml', 'html'].includes(route.produces ?? 'json')
    expect(route.answer !== undefined).toBe(isJson)
    // What has to be proved stands in a body: a query would stand in logs.
    const isBare = ['GET', 'DELETE'].includes(route.method) && !PROVED.includes(route.path)
    expect(route.body !== undefined && isBare).toBe(false)
    expect(maxBodyBytes(route)).toBeGreaterThan(0)
    // The endpoint is named by the path alone.
    if (route.hot === true)
      expect([route.path.includes(':'), route.query]).toEqual([false, undefined])
    for (const code of route.errors ?? []) expect(ERROR_STATUS).toHaveProperty(code)
  })

  test('reading needs a scope to read, writing one to write', () => {
    const secret = route.path.startsWith('/api/v1/signing-secret')
    // A poll hides the events that it returns from other consumers and uses up an attempt.
    const consumes = route.path === '/api/v1/poll'
    const { access } = route
    if (access.by !== 'member') return
    // What is known of people is read by those who may erase it.
    const personal = route.path.startsWith('/api/v1/gdpr/')
    const writes = route.method !== 'GET' || secret || consumes || personal
    // How everybody signs in is for those who may do everything.
    if (access.scope !== '*') expect(access.scope.endsWith(':write')).toBe(writes)
    expect(isAtLeast(access.role, leastRoleOf(access.scope))).toBe(true)
  })

  test('says what its audit row is called, if it writes', () => {
    if (route.method === 'GET') expect(route.audit).toBeUndefined()
    else if (route.audit !== null)
      expect(route.audit).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/)
  })

  test('has an example that its body takes', () => {
    expect(route.example !== undefined).toBe(route.body !== undefined)
    if (route.body !== undefined) expect(route.body.safeParse(route.example).error).toBeUndefined()
  })
})

test('an error has the status of its code', () => {
  const error = new ApiError('RATE_LIMITED', 'slow down', { retryAfterSeconds: 3 })
  expect([error.status, error.code, error.retryAfterSeconds, error.details]).toEqual([
    429,
    'RATE_LIMITED',
    3,
    undefined,
  ])
  for (const status of Object.values(ERROR_STATUS)) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
  }
})
