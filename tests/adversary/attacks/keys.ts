/**
 * Made-up keys and projects, keys that ask for more than they have, and one tenant's files beside
 * another's.
 */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newApiKey } from '@posthorn/domain/api-key'
import { eventually } from '@posthorn/testing/eventually'
import type { Arena } from '../arena.ts'
import { type Attack, attack, type Dose } from '../attack.ts'

const AT_ONCE = 300

/**
 * A session of Postgres that reported its statistics less than a second ago keeps what it counts
 * since then until its next statement, or until it has been idle for this long.
 */
const REPORTED_AFTER_MS = 10_000

/** Until what was asked so far is in Postgres's statistics. */
async function allReported(): Promise<void> {
  const until = performance.now() + REPORTED_AFTER_MS + 500
  await eventually(() => performance.now() > until, { everyMs: 100 })
}

/** How often Postgres was asked for a key, as its own statistics say. */
async function lookUps(arena: Arena): Promise<number> {
  const { rows } = await arena.pool.query<{ scans: number }>(
    `SELECT (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::float8 AS scans
     FROM pg_stat_user_tables WHERE relname = 'api_keys'`,
  )
  return rows[0]?.scans ?? 0
}

/** A key with a rate of one a second, and in each request a project that does not exist. */
async function madeUpProjects(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const { key } = await tenant.create('api-keys', {
    name: 'slow',
    scopes: ['*'],
    rateLimit: 1,
  })
  // The attacks before this one have asked for thousands.
  await allReported()
  return async () => {
    const before = await lookUps(arena)
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        arena.send(`${arena.url}/api/v1/events`, {
          headers: { 'X-API-Key': key, 'X-Project-ID': randomUUID() },
        }),
      ),
    )
    const problems: string[] = []
    const limited = answers.filter(({ status }) => status === 429).length
    if (limited < AT_ONCE - 10)
      problems.push(
        `of requests over the key's limit of 1/s, ${limited} of ${AT_ONCE} were limited`,
      )
    await allReported()
    const asked = (await lookUps(arena)) - before
    // The neighbour's key is looked up once a second.
    if (asked > 60) problems.push(`Postgres was asked for keys ${asked} times`)
    return problems
  }
}

/** Meanwhile the neighbour's key has to be looked up again each second. */
async function unknownKeys(arena: Arena): Promise<Dose> {
  return async () => {
    const until = performance.now() + 2_500
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        while (performance.now() < until) {
          // What has the form of a key is looked up apart from what has not.
          const key = index % 2 === 0 ? newApiKey('production') : `sk_made_up_${randomUUID()}`
          await arena.send(`${arena.url}/api/v1/events`, { headers: { 'X-API-Key': key } })
        }
      }),
    )
    return []
  }
}

async function keyEscalation(arena: Arena): Promise<Dose> {
  const tenant = await arena.newTenant()
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const { key } = await tenant.create('api-keys', {
    name: 'bounded',
    scopes: ['*'],
    rateLimit: 5,
    expiresAt,
  })
  const larger: Record<string, unknown>[] = [
    { rateLimit: null, expiresAt },
    { rateLimit: 6, expiresAt },
    { rateLimit: 5, expiresAt: null },
    { rateLimit: 5, expiresAt: new Date(Date.now() + 7_200_000).toISOString() },
    {},
  ]
  return async () => {
    const problems: string[] = []
    for (const more of larger) {
      const own = { 'X-API-Key': key as string }
      const body = { name: 'larger', scopes: ['*'], ...more }
      const { status } = await tenant.call('POST', 'api-keys', body, own)
      if (status < 300)
        problems.push(`a key of 5/s for an hour made one with ${JSON.stringify(more)}`)
      const until = performance.now() + 250
      await eventually(() => performance.now() > until, { everyMs: 50 })
    }
    return problems
  }
}

/** Two tenants' file sinks with the same prefix. */
async function fileSinks(arena: Arena): Promise<Dose> {
  const [one, other] = [await arena.newTenant(), await arena.newTenant()]
  for (const { create: make } of [one, other]) {
    await make('endpoints', {
      url: 'storage://files',
      eventTypes: ['stored'],
      deliveryMode: 'storage',
      storageConfig: { type: 'file', prefix: 'orders' },
    })
  }
  return async () => {
    const mark = randomUUID()
    await one.postEvent({ eventType: 'stored', payload: { mark, by: 'one' } })
    await other.postEvent({ eventType: 'stored', payload: { mark, by: 'other' } })
    let files: string[] = []
    await eventually(
      async () => {
        files = await filesWith(arena.storageDir, mark)
        if (files.length < 2) throw new Error('not written yet')
      },
      { timeoutMs: 10_000, everyMs: 50 },
    )
    const [first] = new Set(files.map((path) => path.split('/').slice(0, 1).join('/')))
    const places = new Set(files.map((path) => path.split('/')[0]))
    return places.size < 2 ? [`two tenants' files stand in one place: ${first}`] : []
  }
}

async function filesWith(dir: string, mark: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true })
  const found: string[] = []
  for (const path of entries.filter((one) => one.endsWith('.json') && !one.includes('.tmp'))) {
    if ((await readFile(join(dir, path), 'utf8')).includes(mark)) found.push(path)
  }
  return found
}

export const KEYS: readonly Attack[] = [
  attack(
    'keys: made-up projects on a key of 1/s',
    '1,000 look-ups in Postgres at once: the limit came after them',
    madeUpProjects,
  ),
  attack('keys: a flood of unknown ones', 'valid keys were refused with 503', unknownKeys),
  attack('keys: a bounded one makes one without bounds', 'it could', keyEscalation),
  attack('storage: two tenants’ files, one prefix', 'they stood in one place', fileSinks),
]
