/**
 * The lease of what one process alone does, among several that could: the sweep. Owning it is no
 * guarantee: a process that stood still may believe for a moment that it still leads.
 */
import type { Pool } from '../pool.ts'

/** Taken when nobody owns it, kept while its owner renews it. @returns whether `owner` leads now */
export async function acquireLeadership(
  pool: Pick<Pool, 'query'>,
  name: string,
  owner: string,
  forMs: number,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'acquire-leadership',
    // The row need not outlive a crash of Postgres, so nobody waits for the disk twice a second.
    text: `WITH unsynced AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
      INSERT INTO leases (name, holder, held_until)
      SELECT $1, $2, now() + $3 * interval '1 millisecond' FROM unsynced
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
      WHERE leases.holder = excluded.holder OR leases.held_until <= now()`,
    values: [name, owner, forMs],
  })
  return rowCount === 1
}

/** Renews a lease that `owner` has, and takes none. @returns whether it still had it */
export async function keepLease(
  pool: Pick<Pool, 'query'>,
  name: string,
  owner: string,
  forMs: number,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE leases SET held_until = now() + $3 * interval '1 millisecond'
     WHERE name = $1 AND holder = $2`,
    [name, owner, forMs],
  )
  return rowCount === 1
}

export async function resignLeadership(
  pool: Pick<Pool, 'query'>,
  name: string,
  owner: string,
): Promise<void> {
  await pool.query('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, owner])
}
