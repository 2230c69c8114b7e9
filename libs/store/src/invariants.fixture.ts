/** What must hold of the pipeline's rows whenever nothing is being written; used by tests. */
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { isPolled, VISIBLE_PRIORITY } from './pipeline/sql/poll-mode.ts'
import { SUPERSEDED } from './pipeline/sql/record.ts'
import type { Pool } from './pool.ts'

const { delivering, waiting, delivered, dead } = STATE_CODE

/** What sent an edition that has been edited since counts for nothing. */
const COUNTS = `NOT starts_with(a.error, '${SUPERSEDED}')`

const CHECKS: Record<string, string> = {
  'an event’s counts are what its deliveries say': `
    SELECT e.id FROM events e LEFT JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state NOT IN (${delivered}, ${dead})) AS open,
        count(*) FILTER (WHERE state = ${delivering}) AS delivering,
        count(*) FILTER (WHERE state = ${waiting}) AS waiting,
        count(*) FILTER (WHERE state = ${dead}) AS dead
      FROM deliveries d WHERE d.event_id = e.id
    ) c ON true
    WHERE (e.open_count, e.delivering_count, e.waiting_count, e.dead_count)
        <> (c.open, c.delivering, c.waiting, c.dead)
      -- Put aside by fan-out: dead, and without any delivery.
      AND NOT (e.event_type IS NOT NULL AND e.dead_count = 1 AND e.open_count = 0
        AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id))`,
  'an event has ended when it is fanned out and nothing is open, and was delivered when nothing is dead either': `
    SELECT id FROM events
    WHERE (ended_at IS NOT NULL) <> (fanned_out_at IS NOT NULL AND open_count = 0)
      OR (delivered_at IS NOT NULL) <> (ended_at IS NOT NULL AND dead_count = 0)`,
  'an event’s reason is there only while something is dead': `
    SELECT id FROM events WHERE dead_count > 0 AND dead_reason IS NULL`,
  'an event counts no more attempts than its deliveries have': `
    SELECT e.id FROM events e WHERE attempts > (
      SELECT coalesce(max(tries), 0) FROM deliveries d WHERE d.event_id = e.id)`,
  'a delivery has a row for each of its attempts, but for those of polls': `
    SELECT d.id FROM deliveries d
    WHERE (
        SELECT delivery_mode <> 'poll' FROM endpoints n WHERE n.id = d.endpoint_id) IS NOT FALSE
      AND (tries <> (SELECT count(*) FROM attempts a WHERE a.delivery_id = d.id AND ${COUNTS})
      OR tries <> (
        SELECT count(DISTINCT attempt_number) FROM attempts a
        WHERE a.delivery_id = d.id AND ${COUNTS}))`,
  'an open delivery waits in exactly one place': `
    SELECT d.id FROM deliveries d WHERE state NOT IN (${delivered}, ${dead})
      AND (SELECT count(*) FROM due WHERE due.id = d.id)
        + (SELECT count(*) FROM parked p WHERE p.delivery_id = d.id)
        + (SELECT count(*) FROM lane_waiting w WHERE w.delivery_id = d.id) <> 1`,
  'a delivery that has ended waits for nothing': `
    SELECT d.id FROM deliveries d JOIN due ON due.id = d.id WHERE state IN (${delivered}, ${dead})`,
  'an event that is not fanned out waits for that': `
    SELECT e.id FROM events e WHERE event_type IS NOT NULL
      AND (fanned_out_at IS NULL) <> EXISTS (SELECT FROM due WHERE due.id = e.id AND kind = 0)`,
  'a target has a backlog when something is parked at it, but for polls': `
    SELECT delivery_id FROM parked p
    WHERE NOT EXISTS (SELECT FROM backlogs b WHERE b.target_id = p.target_id)
      AND (p.priority > ${VISIBLE_PRIORITY} OR NOT EXISTS (
        SELECT FROM endpoints n WHERE n.id = p.target_id AND ${isPolled('n')}))`,
  'a lane’s head is open, of that lane, and waits for nobody in it': `
    SELECT l.head FROM lanes l WHERE NOT EXISTS (
      SELECT FROM deliveries d WHERE d.id = l.head AND d.endpoint_id = l.endpoint_id
        AND d.lane = l.lane
        AND d.state NOT IN (${delivered}, ${dead})
    ) OR EXISTS (SELECT FROM lane_waiting w WHERE w.delivery_id = l.head)`,
  'an open delivery with a lane is its head or waits behind one': `
    SELECT d.id FROM deliveries d WHERE lane IS NOT NULL AND state NOT IN (${delivered}, ${dead})
      AND NOT EXISTS (SELECT FROM lanes l WHERE l.head = d.id)
      AND NOT EXISTS (
        SELECT FROM lane_waiting w JOIN lanes l USING (tenant_id, endpoint_id, lane)
        WHERE w.delivery_id = d.id)`,
  'a backlog is due some time': `
    SELECT target_id FROM backlogs b
    WHERE NOT EXISTS (SELECT FROM due WHERE due.id = b.target_id AND kind = 2)`,
}

/** @returns what does not hold, with the ids of which it does not; empty when all is well */
export async function findBroken(pool: Pool): Promise<string[]> {
  const broken: string[] = []
  for (const [rule, text] of Object.entries(CHECKS)) {
    const { rows } = await pool.query<Record<string, string>>(text)
    if (rows.length > 0)
      broken.push(`${rule}: not so for ${rows.map((row) => Object.values(row)[0]).join(', ')}`)
  }
  return broken
}
