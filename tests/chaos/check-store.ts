/**
 * Checks the rows in Postgres after a round: everything has ended, all tables agree, and nothing
 * waits for ever.
 */
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import type { Pool } from '@posthorn/store/pool'

const { delivered, dead } = STATE_CODE
const ENDED = `(${delivered}, ${dead})`

/** @returns those of the ids that have ended as dead, with a reason */
export async function findDead(pool: Pool, ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT e.id FROM unnest($1::uuid[]) AS i (id) JOIN tenants t ON true
     JOIN events e ON e.tenant_id = t.id AND e.id = i.id
     WHERE e.ended_at IS NOT NULL AND e.dead_count > 0 AND e.dead_reason IS NOT NULL`,
    [ids],
  )
  return rows.map(({ id }) => id)
}

/** Checks of the round's own events. Each query answers the ids for which it does not hold. */
const EVENT_CHECKS: Record<string, string> = {
  'not in the store': `SELECT i.id FROM i LEFT JOIN e USING (id) WHERE e.id IS NULL`,
  'not ended': `SELECT id FROM e WHERE ended_at IS NULL`,
  'dead without a reason': `SELECT id FROM e WHERE dead_count > 0 AND dead_reason IS NULL`,
  'more or fewer deliveries than one': `
    SELECT e.id FROM e LEFT JOIN d ON d.event_id = e.id GROUP BY e.id HAVING count(d.id) <> 1`,
  'counts that differ from the deliveries': `
    SELECT e.id FROM e JOIN d ON d.event_id = e.id
    GROUP BY e.id, e.open_count, e.delivering_count, e.waiting_count, e.dead_count
    HAVING (e.open_count, e.delivering_count, e.waiting_count, e.dead_count)
      <> (count(*) FILTER (WHERE d.state NOT IN ${ENDED}), 0, 0,
          count(*) FILTER (WHERE d.state = ${dead}))`,
  'attempt counts that differ from the attempts': `
    SELECT d.id FROM d LEFT JOIN (
      SELECT a.delivery_id, count(*) AS rows, count(DISTINCT a.attempt_number) AS numbers
      FROM e JOIN attempts a ON a.tenant_id = e.tenant_id AND a.event_id = e.id GROUP BY 1
    ) a ON a.delivery_id = d.id
    LEFT JOIN endpoints n ON n.tenant_id = d.tenant_id AND n.id = d.endpoint_id
    WHERE n.delivery_mode IS DISTINCT FROM 'poll'
      AND (d.tries <> coalesce(a.rows, 0) OR d.tries <> coalesce(a.numbers, 0))`,
  'ended deliveries that wait for something': `
    SELECT d.id FROM d WHERE d.state IN ${ENDED} AND (
      EXISTS (SELECT FROM due WHERE due.tenant_id = d.tenant_id AND due.id = d.id)
      OR EXISTS (SELECT FROM w WHERE w.delivery_id = d.id))`,
}

/** Checks of everything that waits, of whichever round. */
const WAITING_CHECKS: Record<string, string> = {
  'due for more than 10 s': `SELECT id FROM due WHERE due_at < now() - interval '10 s'`,
  'parked without a backlog': `
    SELECT p.delivery_id FROM parked p
    WHERE NOT EXISTS (
        SELECT FROM backlogs b WHERE b.tenant_id = p.tenant_id AND b.target_id = p.target_id)
      AND NOT EXISTS (
        SELECT FROM endpoints n
        WHERE n.tenant_id = p.tenant_id AND n.id = p.target_id AND n.delivery_mode = 'poll')`,
  'backlogs that are never due': `
    SELECT target_id FROM backlogs b WHERE NOT EXISTS (
      SELECT FROM due
      WHERE due.tenant_id = b.tenant_id AND due.id = b.target_id AND kind = 2)`,
  'lanes without an open head': `
    SELECT l.endpoint_id::text || '/' || l.lane FROM lanes l WHERE NOT EXISTS (
      SELECT FROM deliveries d
      WHERE d.tenant_id = l.tenant_id AND d.id = l.head AND d.state NOT IN ${ENDED})`,
  'waiting in a lane that has no head': `
    SELECT w.delivery_id FROM lane_waiting w WHERE NOT EXISTS (
      SELECT FROM lanes l
      WHERE l.tenant_id = w.tenant_id AND l.endpoint_id = w.endpoint_id AND l.lane = w.lane)`,
}

const SHOWN = 3

/** @returns what does not hold, with some of the ids; empty when all is well */
export async function checkStore(pool: Pool, ids: readonly string[]): Promise<string[]> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    // These queries read tens of thousands of rows at once, where the services' statements go by
    // single keys.
    await client.query("SET LOCAL enable_seqscan = on; SET LOCAL work_mem = '64MB'")
    await client.query(
      'CREATE TEMP TABLE i ON COMMIT DROP AS SELECT DISTINCT unnest($1::uuid[]) AS id',
      [ids],
    )
    await client.query('ANALYZE i')
    await client.query(`CREATE TEMP TABLE e ON COMMIT DROP AS
      SELECT e.* FROM i JOIN tenants t ON true
      JOIN events e ON e.tenant_id = t.id AND e.id = i.id`)
    await client.query('ANALYZE e')
    await client.query(`CREATE TEMP TABLE d ON COMMIT DROP AS
      SELECT d.* FROM e JOIN deliveries d
        ON d.tenant_id = e.tenant_id AND d.event_id = e.id AND d.endpoint_id IS NOT NULL
      UNION ALL SELECT d.* FROM e JOIN deliveries d ON d.tenant_id = e.tenant_id AND d.id = e.id`)
    await client.query('ANALYZE d')
    await client.query(`CREATE TEMP TABLE w ON COMMIT DROP AS
      SELECT delivery_id FROM parked UNION ALL SELECT delivery_id FROM lane_waiting`)
    const problems: string[] = []
    for (const [what, text] of Object.entries({ ...EVENT_CHECKS, ...WAITING_CHECKS })) {
      const { rows } = await client.query<Record<string, string>>(text)
      if (rows.length === 0) continue
      const some = rows.slice(0, SHOWN).map((row) => Object.values(row)[0])
      problems.push(`${rows.length} ${what}: ${some.join(', ')}`)
    }
    await client.query('COMMIT')
    return problems
  } finally {
    client.release(true)
  }
}
