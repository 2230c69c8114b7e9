/**
 * Sources (inbound endpoints) by their path, kept for a second, so that a change is in force
 * everywhere within one second; and at once where `config.changed` tells of it. Unknown paths are
 * kept too, apart from the others, which a flood of unknown ones must not push out.
 *
 * It fails closed: while Postgres is away, what is older than a second is not used.
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
  /** Empty: the event goes to the endpoints that subscribe to its type. */
  destinationIds: string[]
  eventTypeMapping: string | null
  transformation: string | null
  /** In microseconds since 1970: another after each change, except those of the counts. */
  version: number
}

/** @returns null when there is no source, or it is not active */
export async function findSource(pool: Pool, pathSuffix: string): Promise<SourceRow | null> {
  const { rows } = await pool.query<SourceRow>({
    name: 'find-source',
    text: `SELECT tenant_id AS "tenantId", id, project_id AS "projectId",
      path_suffix AS "pathSuffix", source, credentials,
        destination_ids AS "destinationIds", event_type_mapping AS "eventTypeMapping",
          transformation,
        micros(updated_at) AS version
      FROM inbound_endpoints WHERE path_suffix = $1 AND status = 'active'`,
    values: [pathSuffix],
  })
  return rows[0] ?? null
}

export interface SourceCache<Source> {
  /**
   * In memory and fresh: no promise on the hot path. null: nobody has this path; undefined: it is
   * not known.
   */
  peek(pathSuffix: string): Source | null | undefined
  /** undefined: too many look-ups are under way already. */
  get(pathSuffix: string): Promise<Source | null | undefined>
  /** Drops the sources of a tenant, and all unknown paths. */
  invalidate(tenantId: string): void
}

const FRESH_MS = 1_000
/** With opened credentials some 2 KB each: 20 MB. Those that were read longest ago are dropped. */
const MAX_KNOWN = 10_000
/** Some 300 bytes each. */
const MAX_UNKNOWN = 10_000
/** A flood of invented paths must not queue up before the store. */
const MAX_LOOKUPS = 200

interface Entry<Source> {
  source: Source
  readAt: number
}

export function createSourceCache<Source extends { tenantId: string }>(
  find: (pathSuffix: string) => Promise<Source | null>,
  now: () => number = () => performance.now(),
): SourceCache<Source> {
  const known = new Map<string, Entry<Source>>()
  const unknown = new Map<string, Entry<null>>()
  const lookups = new Map<string, Promise<Source | null>>()
  /** Grows with every invalidation: the result of a look-up that began before is not kept. */
  let generation = 0

  function peek(pathSuffix: string): Source | null | undefined {
    const entry = known.get(pathSuffix) ?? unknown.get(pathSuffix)
    return entry !== undefined && now() - entry.readAt < FRESH_MS ? entry.source : undefined
  }

  async function lookUp(pathSuffix: string): Promise<Source | null> {
    const began = { generation, readAt: now() }
    const source = await find(pathSuffix)
    if (began.generation !== generation) return source
    known.delete(pathSuffix)
    unknown.delete(pathSuffix)
    if (source === null) keep(unknown, pathSuffix, { source, readAt: began.readAt }, MAX_UNKNOWN)
    else keep(known, pathSuffix, { source, readAt: began.readAt }, MAX_KNOWN)
    return source
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
      for (const [path, { source }] of known) {
        if (source.tenantId === tenantId) known.delete(path)
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
