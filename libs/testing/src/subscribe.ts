/** Gives a tenant a plan, as the billing provider's webhook would, and some of it used up. */
interface Queryable {
  query(text: string, values: unknown[]): Promise<unknown>
}

/** @param status the billing provider's word */
export async function subscribe(
  pool: Queryable,
  tenantId: string,
  plan: string,
  status = 'active',
): Promise<void> {
  await pool.query(
    `INSERT INTO subscriptions (tenant_id, plan, cycle, status) VALUES ($1, $2, 'monthly', $3)
     ON CONFLICT (tenant_id) DO UPDATE SET plan = $2, status = $3`,
    [tenantId, plan, status],
  )
}

/** As if another process had accepted so many events today. */
export async function useUp(pool: Queryable, tenantId: string, events: number): Promise<void> {
  await pool.query(
    `INSERT INTO usage_days (tenant_id, day, process, events)
     VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 'another', $2)
     ON CONFLICT (tenant_id, day, process) DO UPDATE SET events = $2, updated_at = now()`,
    [tenantId, events],
  )
}
