/**
 * Sources (inbound endpoints) by their path, kept for a second, so that a change is in force
 * everywhere within one second; and at once where `config.changed` tells of it. Unknown paths are
 * kept too, apart from the others, which a flood of unknown ones must not push out.
 *
 * It fails closed: while Postgres is away, what is older than a second is not used.
 */
import { createLookupCache } from '@posthorn/async/lookup-cache'
import { createSingleFlight } from '@posthorn/async/single-flight'
import { planOf } from './caller-tenant.ts'
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
  /** The plan of the subscription in force; null: none. */
  plan: string | null
  /** The tenant whose plan is used: this one, or a sub-account's parent. */
  payerId: string
  /** In microseconds since 1970: another after each change, except those of the counts. */
  version: number
}

/** @returns null when there is no source, or it or its sub-account is not active */
export async function findSource(pool: Pool, pathSuffix: string): Promise<SourceRow | null> {
  const { rows } = await pool.query<SourceRow>({
    name: 'find-source',
    text: `SELECT i.tenant_id AS "tenantId", i.id, i.project_id AS "projectId",
        i.path_suffix AS "pathSuffix", i.source, i.credentials,
        i.destination_ids AS "destinationIds", i.event_type_mapping AS "eventTypeMapping",
        i.transformation,
        micros(i.updated_at) AS version, ${planOf('i.tenant_id')} AS plan,
        coalesce(t.parent_id, t.id) AS "payerId"
      FROM inbound_endpoints i JOIN tenants t ON t.id = i.tenant_id AND t.status = 'active'
        AND t.deleting_since IS NULL
      WHERE i.path_suffix = $1 AND i.status = 'active'`,
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
const MAX_FOUND = 10_000
/** Some 300 bytes each. */
const MAX_MISSING = 10_000
/** A flood of invented paths must not queue up before the store. */
const MAX_LOOKUPS = 200

export function createSourceCache<Source extends { tenantId: string }>(
  find: (pathSuffix: string) => Promise<Source | null>,
  now: () => number = () => performance.now(),
): SourceCache<Source> {
  const cache = createLookupCache<Source>(
    { freshMs: FRESH_MS, maxFound: MAX_FOUND, maxMissing: MAX_MISSING },
    now,
  )
  const lookups = createSingleFlight<Source | null>()

  async function lookUp(pathSuffix: string): Promise<Source | null> {
    const keep = cache.begin()
    const source = await find(pathSuffix)
    keep(pathSuffix, source)
    return source
  }

  return {
    peek: cache.peek,
    async get(pathSuffix) {
      const fresh = cache.peek(pathSuffix)
      if (fresh !== undefined) return fresh
      if (!lookups.isUnderWay(pathSuffix) && lookups.size() >= MAX_LOOKUPS) return undefined
      return await lookups.run(pathSuffix, () => lookUp(pathSuffix))
    },
    invalidate(tenantId) {
      lookups.forget()
      cache.forgetMissing()
      cache.invalidate((source) => source.tenantId === tenantId)
    },
  }
}
