/**
 * Reads what a service keeps of tenants, many in one statement: a workspace may have thousands of
 * customers, whose first events after a start come within seconds. What is asked for while two
 * statements are under way goes together into the next.
 *
 * Only tenants with few endpoints are read together, so that no statement is large and nobody waits
 * for another's configuration. The others are read alone, and so are all of a statement that
 * failed: one that can't be read fails for itself.
 */
import type { Pool } from './pool.ts'

export interface LoadedTenant<Value> {
  version: number
  value: Value
  /** The length of the text that it was made from. */
  bytes: number
}

export interface TenantLoads<Value> {
  load(tenantId: string): Promise<LoadedTenant<Value>>
  /** By tenant; those that are left out are loaded alone. */
  loadSmall?(tenantIds: readonly string[]): Promise<ReadonlyMap<string, LoadedTenant<Value>>>
}

/** Endpoints of a tenant that is read with others. */
export const MAX_SMALL = 8
/** A statement has 16 MiB where endpoints are as large as they may be, as one tenant may. */
const MAX_TOGETHER = 32
/** So that the next is under way while an answer is read. */
const MAX_STATEMENTS = 2

interface Asked<Value> extends PromiseWithResolvers<LoadedTenant<Value>> {
  tenantId: string
}

export function loadTogether<Value>({
  load,
  loadSmall,
}: TenantLoads<Value>): (tenantId: string) => Promise<LoadedTenant<Value>> {
  if (loadSmall === undefined) return load
  const waiting: Asked<Value>[] = []
  let statements = 0
  let isStarting = false

  function start(): void {
    isStarting = false
    while (statements < MAX_STATEMENTS && waiting.length > 0) {
      statements += 1
      void run(waiting.splice(0, MAX_TOGETHER)).finally(() => {
        statements -= 1
        start()
      })
    }
  }

  async function run(batch: readonly Asked<Value>[]): Promise<void> {
    const found = await loadSmall?.(batch.map(({ tenantId }) => tenantId)).catch(() => undefined)
    for (const { tenantId, resolve } of batch) resolve(found?.get(tenantId) ?? load(tenantId))
  }

  return async (tenantId) => {
    const asked = { tenantId, ...Promise.withResolvers<LoadedTenant<Value>>() }
    waiting.push(asked)
    // What is asked for in the same turn goes together.
    if (!isStarting) queueMicrotask(start)
    isStarting = true
    return await asked.promise
  }
}

/** Reads rows of $1, the tenants, with at most $2 endpoints of each; null: all. */
export interface TenantStatement {
  name: string
  text: string
}

export async function readTenantRows<Row extends object>(
  pool: Pool,
  statement: TenantStatement,
  tenantId: string,
): Promise<Row[]> {
  return (await pool.query<Row>({ ...statement, values: [[tenantId], null] })).rows
}

/**
 * Reads these tenants in one statement.
 * @param make undefined: the tenant is to be read alone
 * @returns by tenant; those that have too many endpoints are left out
 */
export async function readSmallTenants<Row extends { tenant: string }, Made>(
  pool: Pool,
  statement: TenantStatement,
  tenantIds: readonly string[],
  make: (tenantId: string, own: readonly Row[]) => Made | undefined,
): Promise<Map<string, Made>> {
  const values = [tenantIds, MAX_SMALL + 1]
  const { rows } = await pool.query<Row>({ ...statement, values })
  return mapSmall(tenantIds, rows, make)
}

/**
 * What is made of each tenant's rows.
 * @param rows of at most `MAX_SMALL + 1` endpoints of each
 * @param make undefined: it is to be read alone
 */
export function mapSmall<Row extends { tenant: string }, Made>(
  tenantIds: readonly string[],
  rows: readonly Row[],
  make: (tenantId: string, own: readonly Row[]) => Made | undefined,
): Map<string, Made> {
  const byTenant = Map.groupBy(rows, ({ tenant }) => tenant)
  const made = new Map<string, Made>()
  for (const tenantId of tenantIds) {
    const own = byTenant.get(tenantId) ?? []
    const one = own.length > MAX_SMALL ? undefined : make(tenantId, own)
    if (one !== undefined) made.set(tenantId, one)
  }
  return made
}
