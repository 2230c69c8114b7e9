/**
 * How many deliveries wait, of a tenant, a project or an endpoint: on their way, backing off,
 * parked at their target, or behind another in their lane. Of each kind only so many rows are
 * looked at, so that a tenant with a million of them costs no more than one with some thousands:
 * the count of an endpoint is then a lower bound.
 */
import { KIND } from '../pipeline/sql/lease.ts'
import { selectivityHint } from '../pipeline/sql/selectivity-hint.ts'
import type { TransactionClient } from '../transaction.ts'

export interface WaitingScope {
  tenantId: string
  projectId: string | null
  endpointId: string | null
}

/** Rows of each kind, by an index: some 3 ms. */
const MAX_ROWS = 10_000

/** In the order of the scopes. */
export async function readWaiting(
  client: TransactionClient,
  scopes: readonly WaitingScope[],
): Promise<number[]> {
  if (scopes.length === 0) return []
  const { rows } = await client.query<{ n: number; waiting: number }>({
    name: 'read-waiting-deliveries',
    text: READ,
    values: [
      scopes.map(({ tenantId }) => tenantId),
      scopes.map(({ projectId }) => projectId),
      scopes.map(({ endpointId }) => endpointId),
    ],
  })
  const found = new Map(rows.map(({ n, waiting }) => [n, waiting]))
  return scopes.map((_, index) => found.get(index + 1) ?? 0)
}

const isOf = (target: string): string => `(i.e IS NULL OR ${target} = i.e)
  AND (i.p IS NULL OR ${target} IN (
    SELECT e.id FROM endpoints e WHERE e.tenant_id = i.t AND e.project_id = i.p))`

const READ = `SELECT i.n::int AS n, least(${MAX_ROWS}, w.n + p.n + l.n)::int AS waiting
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) WITH ORDINALITY AS i (t, p, e, n)
CROSS JOIN LATERAL (SELECT count(*) AS n FROM (
  SELECT target_id, kind FROM due WHERE tenant_id = i.t LIMIT ${MAX_ROWS}) d
  WHERE d.kind <> ${KIND.backlog} AND ${isOf('d.target_id')}) w
CROSS JOIN LATERAL (SELECT count(*) AS n FROM (
  SELECT target_id FROM parked WHERE tenant_id = i.t AND (i.e IS NULL OR target_id = i.e)
    LIMIT ${MAX_ROWS}) d WHERE ${isOf('d.target_id')}) p
CROSS JOIN LATERAL (SELECT count(*) AS n FROM (
  SELECT endpoint_id FROM lane_waiting
    WHERE tenant_id = i.t AND (i.e IS NULL OR endpoint_id = i.e) LIMIT ${MAX_ROWS}) d
  WHERE ${isOf('d.endpoint_id')}) l
WHERE ${selectivityHint('i.t')}`
