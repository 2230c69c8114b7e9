/**
 * What somebody without an account can send: hostile bodies to each route of the catalog that
 * anybody may call, and made-up sessions, keys of sockets, SCIM tokens and links to the portal.
 * Made from the catalog, so a new route is in it.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { maxBodyBytes, type Route, routeCatalog } from '@posthorn/contracts/routes'
import { STATS_STREAM } from '@posthorn/contracts/stats'
import { newApiKey } from '@posthorn/domain/api-key'
import { newSecretToken } from '@posthorn/domain/secret-token'
import type { Arena } from '../arena.ts'
import { type Attack, attack, type Dose } from '../attack.ts'
import { SHAPES } from './shapes.ts'

const AT_ONCE = 300

/** Routes that take a body before anybody has shown who they are. */
const OPEN = Object.values(routeCatalog('Service') as Record<string, Route>).filter(
  ({ access, body, consumes }) =>
    access.by === 'anyone' && (body !== undefined || consumes !== undefined),
)

/** As large as the route allows, and of the type that it asks for where the shape has none. */
async function hostileBodies(arena: Arena): Promise<Dose> {
  return async () => {
    const problems: string[] = []
    for (const route of OPEN) {
      const path = route.path.replaceAll(/:[A-Za-z]+/g, () => randomUUID())
      for (const { name, type, body } of SHAPES) {
        const { status } = await arena.send(arena.url + path, {
          method: route.method,
          headers: { 'Content-Type': type },
          body: body(maxBodyBytes(route) - 1_024),
        })
        if (status >= 500) problems.push(`${name} to ${route.path} was answered ${status}`)
        if (status < 300) problems.push(`${name} to ${route.path} was taken`)
      }
    }
    return problems
  }
}

/** Each request has another credential, so that each has to be looked up. */
function madeUp(
  credential: () => Record<string, string>,
  path: string,
  more: { method?: string; body?: () => string } = {},
) {
  return async (arena: Arena): Promise<Dose> =>
    async () => {
      const until = performance.now() + 2_500
      const statuses = new Set<number>()
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (performance.now() < until) {
            const { status } = await arena.send(arena.url + path, {
              method: more.method ?? 'GET',
              headers: credential(),
              ...(more.body === undefined ? {} : { body: more.body() }),
            })
            statuses.add(status)
          }
        }),
      )
      return [...statuses]
        .filter((status) => status !== 401)
        .map((status) => `a made-up credential was answered ${status}`)
    }
}

/** A token as the portal's are, of a session that nobody has and with a signature of nobody's. */
function madeUpToken(aud: 'exchange' | 'session'): string {
  const exp = Math.floor(Date.now() / 1_000) + 3_600
  const claims = { jti: randomUUID(), sub: randomUUID(), cid: randomUUID(), scp: ['events:read'] }
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { ...claims, aud, iat: exp - 3_600, exp },
  ]
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return [...text, randomBytes(32).toString('base64url')].join('.')
}

export const STRANGERS: readonly Attack[] = [
  attack(
    'public routes: hostile bodies',
    'what is not linear in the body of a form, a login or a response of an identity provider',
    hostileBodies,
  ),
  attack(
    'sessions: a flood of made-up ones',
    'one query for each, before the keys of everybody else',
    madeUp(() => ({ Cookie: `service_session=${newSecretToken()}` }), '/api/v1/events'),
  ),
  attack(
    'sockets of the stats: a flood of made-up keys',
    'one query for each, before the keys of everybody else',
    madeUp(
      () => ({ Connection: 'Upgrade', Upgrade: 'websocket', 'X-API-Key': newApiKey('production') }),
      STATS_STREAM.path,
    ),
  ),
  attack(
    'SCIM tokens: a flood of made-up ones',
    'one query for each, before the keys of everybody else',
    madeUp(() => ({ Authorization: `Bearer ${newSecretToken('ph_scim_')}` }), '/scim/v2/Users'),
  ),
  attack(
    'sessions of the portal: a flood of made-up ones',
    'one query for each, where the signature is not looked at first',
    madeUp(
      () => ({ Cookie: `service_sub_account_session=${madeUpToken('session')}` }),
      '/sub-account-api/events',
    ),
  ),
  attack(
    'links to the portal: a flood of made-up ones',
    'one query for each, where the signature is not looked at first',
    madeUp(() => ({ 'Content-Type': 'application/json' }), '/sub-account-api/auth/exchange', {
      method: 'POST',
      body: () => JSON.stringify({ token: madeUpToken('exchange') }),
    }),
  ),
]
