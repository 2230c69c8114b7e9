/** Tenants that have used something lately, with what they have used of their month. */
import { startOfMonth } from '@posthorn/domain/usage-period'
import { planOf } from '../caller-tenant.ts'
import type { Pool } from '../pool.ts'
import { COUNTS } from './usage-rows.ts'

export interface MonthOfTenant {
  tenantId: string
  /** The plan of the subscription in force; null: none. */
  plan: string | null
  used: number
  /** The percentages that were warned of in this month. */
  warned: number[]
}

/**
 * Sub-accounts are left out: their events count as their parents', and only their attempts as their
 * own.
 *
 * @param month since the beginning of 1970
 * @param withinMs tenants whose usage has not changed within this time are left out
 */
export async function readActiveMonths(
  pool: Pool,
  month: number,
  withinMs: number,
): Promise<MonthOfTenant[]> {
  const { rows } = await pool.query<MonthOfTenant>({
    name: 'read-active-months',
    text: `WITH active AS MATERIALIZED (
        SELECT DISTINCT tenant_id FROM usage_days
        WHERE process <> '' AND day >= $1 AND updated_at > now() - $2 * interval '1 millisecond'
          AND events > 0
      )
      SELECT a.tenant_id AS "tenantId", ${planOf('a.tenant_id')} AS plan,
        (SELECT sum(u.events)::float8 FROM usage_days u
          WHERE u.tenant_id = a.tenant_id AND u.day >= $1 AND ${COUNTS}) AS used,
        ARRAY(SELECT w.percent FROM quota_warnings w
          WHERE w.tenant_id = a.tenant_id AND w.month = $1) AS warned
      FROM active a`,
    values: [startOfMonth(month).toISOString().slice(0, 10), withinMs],
  })
  return rows
}
