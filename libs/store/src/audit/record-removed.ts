/**
 * Tells workspaces what retention has removed of theirs: one row of the audit log a day, whose
 * `metadata` counts the rows of each kind. It is written by the statement or in the transaction
 * that removes them, so that the counts are those of what has really gone.
 *
 * Nobody is told of rows of a workspace that is deleted or about to be, nor that earlier such rows
 * have gone: else each would leave another behind, for ever.
 */
import { idAt, newId, timeOfId } from '@posthorn/domain/ids'
import type { RetainedKind } from '../retention-windows.ts'

export const RETENTION_ACTION = 'retention.apply'
const DAY_MS = 86_400_000

export interface RemovedRows {
  /** null: sign-ins of nobody knows which workspace. */
  tenantId: string | null
  count: number
}

/**
 * CTEs that write down what one named `removed` has of tenants: `tenant_id`, `count`, and the `id`
 * and the time `at` of a row that is new today.
 * @param first number of the first of the parameters that `toldValues` gives
 */
export function toldSql(first: number): string {
  const [kind, from, to] = [`$${first}`, `$${first + 1}`, `$${first + 2}`]
  return `told AS (
    UPDATE audit_logs a SET metadata = jsonb_set(a.metadata, ARRAY[${kind}::text],
      to_jsonb(coalesce((a.metadata ->> ${kind}::text)::bigint, 0) + r.count))
    FROM removed r
    WHERE r.count > 0 AND a.tenant_id = r.tenant_id AND a.action = '${RETENTION_ACTION}'
      AND a.actor_type = 'system' AND a.id >= ${from}::uuid AND a.id < ${to}::uuid
    RETURNING a.tenant_id
  ), newly_told AS (
    INSERT INTO audit_logs (tenant_id, id, action, resource, resource_id, actor_type, actor_name,
      metadata, created_at)
    SELECT r.tenant_id, r.id, '${RETENTION_ACTION}', 'retention', r.tenant_id::text, 'system',
      'system', jsonb_build_object(${kind}::text, r.count), r.at
    FROM removed r JOIN tenants t ON t.id = r.tenant_id AND t.deleting_since IS NULL
    WHERE r.count > 0 AND NOT EXISTS (SELECT FROM told WHERE told.tenant_id = r.tenant_id)
  )`
}

/** @param id of a row that is new today */
export function toldValues(kind: RetainedKind, id: string): [RetainedKind, string, string] {
  const today = Math.floor(timeOfId(id) / DAY_MS) * DAY_MS
  return [kind, idAt(today), idAt(today + DAY_MS)]
}

/** When the row of an id was made; the list's filter by time goes by ids, and shows this. */
export function timeSql(ms: string): string {
  return `to_timestamp(${ms}::float8 / 1000)`
}

interface Queryable {
  query(text: string, values: unknown[]): Promise<unknown>
}

export async function recordRemoved(
  client: Queryable,
  kind: RetainedKind,
  removed: readonly RemovedRows[],
): Promise<void> {
  const told = removed.filter(({ tenantId }) => tenantId !== null)
  const [first, ...others] = told.map(() => newId())
  if (first === undefined) return
  const ids = [first, ...others]
  await client.query(RECORD, [
    ...toldValues(kind, first),
    told.map(({ tenantId }) => tenantId),
    ids,
    told.map(({ count }) => count),
    ids.map((id) => timeOfId(id)),
  ])
}

const RECORD = `WITH removed AS (
    SELECT tenant_id, id, count, ${timeSql('at')} AS at
    FROM unnest($4::uuid[], $5::uuid[], $6::bigint[], $7::float8[]) AS r (tenant_id, id, count, at)
  ), ${toldSql(1)}
  SELECT`
