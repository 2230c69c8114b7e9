/**
 * Looks at Postgres as a service would use it, also through a pooler, and tells in words what would
 * not work. It writes nothing.
 */
import {
  clockFinding,
  connectionFault,
  describeChain,
  type StoreFinding,
} from '@posthorn/contracts/store-findings'
import pg from 'pg'
import { SESSION_SETTINGS } from './pool.ts'

export interface PostgresAccess {
  url: string
  /** `DATABASE_DIRECT_URL`, where it is set. */
  directUrl?: string
}

const LEAST_VERSION = 15
const TIMEOUT_MS = 5_000

/** @param now this machine's clock */
export async function diagnosePostgres(
  { url, directUrl }: PostgresAccess,
  now: () => number,
): Promise<StoreFinding[]> {
  try {
    return await withClient(url, async (client) => {
      const findings = await diagnoseServer(client, now)
      return [...findings, ...(await diagnosePooling(client, url, directUrl))]
    })
  } catch (error) {
    return [{ level: 'wrong', text: wordsOf(error) }]
  }
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'posthorn doctor',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

interface ServerFacts {
  version: string
  major: number
  standby: boolean
  fsync: string
  commit: string
  standbys: string
  may_create: boolean
  now: number
  role: string
  database: string
}

async function diagnoseServer(client: pg.Client, now: () => number): Promise<StoreFinding[]> {
  const before = now()
  const { rows } = await client.query<ServerFacts>(
    `SELECT current_setting('server_version') AS version,
       current_setting('server_version_num')::int / 10000 AS major,
       pg_is_in_recovery() AS standby, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS commit,
       current_setting('synchronous_standby_names') AS standbys,
       coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,
       extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`,
  )
  const facts = rows[0] as ServerFacts
  const findings: StoreFinding[] = [
    facts.major >= LEAST_VERSION
      ? { level: 'ok', text: `Postgres ${facts.version} answers` }
      : {
          level: 'wrong',
          text: `Postgres ${facts.version} is too old: ${LEAST_VERSION} is the least`,
        },
    clockFinding(facts.now - (before + now()) / 2),
  ]
  const wrong = (text: string): void => void findings.push({ level: 'wrong', text })
  if (facts.standby) wrong('it is a standby, which takes no writes: is the primary elsewhere?')
  if (!facts.may_create) wrong('the user may not make tables in its schema: GRANT CREATE ON SCHEMA')
  if (facts.fsync === 'off') wrong('fsync is off: an event that was answered 201 may be lost')
  if (['off', 'local'].includes(facts.commit) && (facts.commit === 'off' || facts.standbys !== ''))
    wrong(`synchronous_commit is ${facts.commit}: an event that was answered 201 may be lost`)
  findings.push({
    level: 'ok',
    text:
      facts.standbys === ''
        ? 'no standby is synchronous: one that is promoted may lack the last commits'
        : `commits wait for the synchronous standby (${facts.standbys})`,
  })
  return findings
}

async function diagnosePooling(
  client: pg.Client,
  url: string,
  directUrl: string | undefined,
): Promise<StoreFinding[]> {
  if (!(await isPooled(client)))
    return directUrl === undefined
      ? []
      : [{ level: 'warning', text: 'DATABASE_DIRECT_URL is set, and DATABASE_URL has no pooler' }]
  const findings = await diagnoseMode(client)
  if (findings.length > 0) return findings
  if (directUrl === undefined) return await diagnoseSharing(client, url)
  return [...(await diagnoseDirect(client, directUrl)), ...(await diagnoseSettings(client))]
}

/**
 * A pooler gives its clients a number of its own, by which they may cancel a statement; Postgres
 * gives that of its process.
 */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return (client as unknown as { processID: number | null }).processID !== rows[0]?.pid
}

async function diagnoseMode(client: pg.Client): Promise<StoreFinding[]> {
  try {
    await client.query('BEGIN')
    await client.query('ROLLBACK')
    return []
  } catch (error) {
    if (!/statement pooling/.test(describeChain(error))) throw error
    return [
      {
        level: 'wrong',
        text: 'its pooler is in statement mode, which has no transactions: set pool_mode = transaction',
      },
    ]
  }
}

/** In transaction mode two clients that do nothing at once are lent the same session. */
async function diagnoseSharing(client: pg.Client, url: string): Promise<StoreFinding[]> {
  const pidOf = async (one: pg.Client): Promise<number | undefined> =>
    (await one.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
  const isShared = await withClient(
    url,
    async (other) => (await pidOf(other)) === (await pidOf(client)),
  )
  const text = 'DATABASE_URL leads through a pooler'
  return isShared
    ? [{ level: 'wrong', text: `${text}: set DATABASE_DIRECT_URL to Postgres itself` }]
    : [{ level: 'warning', text: `${text} in session mode: set DATABASE_DIRECT_URL too` }]
}

async function diagnoseDirect(client: pg.Client, directUrl: string): Promise<StoreFinding[]> {
  const whichOf = async (one: pg.Client): Promise<string> => {
    const { rows } = await one.query<{ which: string }>(
      `SELECT concat_ws(' ', pg_postmaster_start_time(), current_database()) AS which`,
    )
    return rows[0]?.which ?? ''
  }
  try {
    return await withClient(directUrl, async (direct) => {
      if (await isPooled(direct))
        return [{ level: 'wrong', text: 'DATABASE_DIRECT_URL leads through a pooler too' }]
      if ((await whichOf(direct)) !== (await whichOf(client)))
        return [{ level: 'wrong', text: 'DATABASE_DIRECT_URL leads to another database' }]
      return [{ level: 'ok', text: 'DATABASE_DIRECT_URL leads to the same database' }]
    })
  } catch (error) {
    return [{ level: 'wrong', text: `DATABASE_DIRECT_URL: ${wordsOf(error)}` }]
  }
}

/** Statements outside transactions have only what their role has. */
async function diagnoseSettings(client: pg.Client): Promise<StoreFinding[]> {
  const { rows } = await client.query<{ name: string; value: string; role: string }>(
    `SELECT name, current_setting(name) AS value, quote_ident(current_user) AS role
     FROM unnest($1::text[]) AS name`,
    [Object.keys(SESSION_SETTINGS)],
  )
  const wanted: Record<string, string> = SESSION_SETTINGS
  const others = rows.filter(({ name, value }) => value !== wanted[name])
  if (others.length === 0) return []
  const lines = others.map(({ name, role }) => `ALTER ROLE ${role} SET ${name} = '${wanted[name]}'`)
  return [{ level: 'warning', text: `behind a pooler, let the role have: ${lines.join('; ')}` }]
}

function wordsOf(error: unknown): string {
  const said = describeChain(error)
  const known: readonly (readonly [RegExp, string])[] = [
    [
      /28P01|password authentication failed|SASL authentication failed/,
      'it refuses the user or password',
    ],
    [
      /28000|pg_hba/,
      'it does not let this user in from here, or only with TLS (sslmode=verify-full)',
    ],
    [/3D000|no such database/, 'there is no such database'],
    [/does not support SSL/, 'it has no TLS, and the URL asks for it'],
    [/unsupported startup parameter/, 'the URL sets what a pooler does not take'],
    [/53300|too many connections/, 'it has no connection left'],
    [/57P03/, 'it is starting up or shutting down'],
    [/ENOENT/, 'the file that the URL names is not there'],
  ]
  const words = known.find(([pattern]) => pattern.test(said))?.[1] ?? connectionFault(error)
  return words === undefined ? said : `${words} (${said})`
}
