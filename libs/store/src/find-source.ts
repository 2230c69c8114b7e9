/**
 * Receivers of inbound webhooks by their path, kept for a second, so that a change is in force everywhere within one; and
 * at once where `config.changed` tells of it. Paths that nobody has are kept too, apart from the others, which a flood of
 * them must not push out.
 *
 * Fails closed: where Postgres is away, what is older than a second is not used.
 */
import type { Pool } from './pool.ts'

export interface SourceRow {
  tenantId: string
  id: string
  projectId: string
  pathSuffix: string
  source: string
  /** Sealed. */
  credentials: string
  /** None: the event goes to whoever subscribes to its type. */
  destinationIds: string[]
  eventTypeMapping: string | null
  transformation: string | null
  /** Micros since 1970: another after each change but those of the counts. */
  version: number
}

/** @returns null where there is none, or one that is not active */
export async function findSource(pool: Pool, pathSuffix: string): Promise<SourceRow | null> {
  const { rows } = await pool.query<SourceRow>({
    name: 'find-receiver',
    text: `SELECT tenant_id AS "tenantId", id, project_id AS "projectId", path_suffix AS "pathSuffix", source, credentials,
        destination_ids AS "destinationIds", event_type_mapping AS "eventTypeMapping", transformation,
        micros(updated_at) AS version
      FROM inbound_endpoints WHERE path_suffix = $1 AND status = 'active'`,
    values: [pathSuffix],
  })
  return rows[0] ?? null
}

export interface SourceCache<Receiver> {
  /** In memory and fresh: no promise on the hot path. null: nobody has this path; undefined: it is not known. */
  peek(pathSuffix: string): Receiver | null | undefined
  /** undefined: too many are being looked up already. */
  get(pathSuffix: string): Promise<Receiver | null | undefined>
  /** Those of a tenant, and what nobody had until now. */
  invalidate(tenantId: string): void
}

const FRESH_MS = 1_000
/** With opened credentials some 2 KB each: 20 MB. Those that were read longest ago go first. */
const MAX_KNOWN = 10_000
/** Some 300 bytes each. */
const MAX_UNKNOWN = 10_000
/** A flood of invented paths must not queue up before the store. */
const MAX_LOOKUPS = 200

interface Entry<Receiver> {
  receiver: Receiver
  readAt: number
}

export function createSourceCache<Receiver extends { tenantId: string }>(
  find: (pathSuffix: string) => Promise<Receiver | null>,
  now: () => number = () => performance.now(),
): SourceCache<Receiver> {
  const known = new Map<string, Entry<Receiver>>()
  const unknown = new Map<string, Entry<null>>()
  const lookups = new Map<string, Promise<Receiver | null>>()
  /** Grows with every invalidation: a look-up that began before one is not kept. */
  let generation = 0

  function peek(pathSuffix: string): Receiver | null | undefined {
    const entry = known.get(pathSuffix) ?? unknown.get(pathSuffix)
    return entry !== undefined && now() - entry.readAt < FRESH_MS ? entry.receiver : undefined
  }

  async function lookUp(pathSuffix: string): Promise<Receiver | null> {
    const began = { generation, readAt: now() }
    const receiver = await find(pathSuffix)
    if (began.generation !== generation) return receiver
    known.delete(pathSuffix)
    unknown.delete(pathSuffix)
    if (receiver === null)
      keep(unknown, pathSuffix, { receiver, readAt: began.readAt }, MAX_UNKNOWN)
    else keep(known, pathSuffix, { receiver, readAt: began.readAt }, MAX_KNOWN)
    return receiver
  }

  return {
    peek,
    async get(pathSuffix) {
      const fresh = peek(pathSuffix)
      if (fresh !== undefined) return fresh
      const running = lookups.get(pathSuffix)
      if (running !== undefined) return await running
      if (lookups.size >= MAX_LOOKUPS) return undefined
      const lookup = lookUp(pathSuffix).finally(() => {
        if (lookups.get(pathSuffix) === lookup) lookups.delete(pathSuffix)
      })
      lookups.set(pathSuffix, lookup)
      return await lookup
    },
    invalidate(tenantId) {
      generation += 1
      lookups.clear()
      unknown.clear()
      for (const [path, { receiver }] of known) {
        if (receiver.tenantId === tenantId) known.delete(path)
      }
    },
  }
}

function keep<Value>(entries: Map<string, Value>, path: string, value: Value, max: number): void {
  entries.set(path, value)
  if (entries.size <= max) return
  const [oldest] = entries.keys()
  if (oldest !== undefined) entries.delete(oldest)
}
