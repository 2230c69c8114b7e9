/**
 * The one way in which an event's counts of its deliveries change: from what a guarded UPDATE of deliveries returned.
 * Events are locked in the order of their ids, after their deliveries and before rows of `due`, as everywhere: no deadlocks.
 * `moved` names the CTE that returned `tenant_id, event_id, state, state_before, tries, tries_before, dead_reason`.
 *
 * Here alone an event ends, and so here alone its subscribers are told that it ended dead, whatever ended it.
 */
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { UNBOUNDED, type PartitionBounds } from './partition-bounds.ts'
import { DEAD_COLUMNS, publishDead } from './operational-events.ts'

const { delivering, waiting, delivered, dead } = STATE_CODE
const ENDED = `(${delivered}, ${dead})`

function change(code: number): string {
  return `sum((state = ${code})::int - (state_before = ${code})::int)::int`
}

/** What becomes of an event's attempts and reason: they grow, start again, or are those of its other deliveries. */
type Carried = 'grow' | 'afresh' | 'others'

/**
 * CTEs for the end of a WITH: `counted` updates the events, `told` tells of those that have ended dead. A replay of all that
 * failed counts `afresh`, of some by the `others`; neither can end an event.
 * @param days of the events, where they are known
 */
export function countMoved(
  moved: string,
  days: PartitionBounds = UNBOUNDED,
  attempts: Carried = 'grow',
): string {
  const counted = `counted AS (${updateText(moved, attempts)} AND ${days.within('e.id')}
  RETURNING ${DEAD_COLUMNS}, c.open < 0 AND e.open_count = 0 AND e.dead_count > 0 AS is_dead)`
  return attempts === 'grow' ? `${counted}, ${publishDead('counted')}` : counted
}

function updateText(moved: string, attempts: Carried): string {
  const others = `FROM deliveries o WHERE o.tenant_id = e.tenant_id AND o.event_id = e.id AND o.endpoint_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM ${moved} m WHERE m.tenant_id = o.tenant_id AND m.id = o.id)`
  const carried = {
    grow: `attempts = greatest(e.attempts, c.attempts), dead_reason = coalesce(c.dead_reason, e.dead_reason)`,
    afresh: 'attempts = 0, dead_reason = NULL',
    others: `attempts = coalesce((SELECT max(o.tries - o.tries_before) ${others}), 0),
    dead_reason = (SELECT max(o.dead_reason) ${others})`,
  }[attempts]
  return `UPDATE events e SET
    open_count = e.open_count + c.open, delivering_count = e.delivering_count + c.delivering,
    waiting_count = e.waiting_count + c.waiting, dead_count = e.dead_count + c.dead,
    ${carried},
    ended_at = CASE WHEN e.open_count + c.open = 0 THEN now() END,
    delivered_at = CASE WHEN e.open_count + c.open = 0 AND e.dead_count + c.dead = 0 THEN now() END
  FROM (
    SELECT tenant_id, event_id,
      sum((state NOT IN ${ENDED})::int - (state_before NOT IN ${ENDED})::int)::int AS open,
      ${change(delivering)} AS delivering, ${change(waiting)} AS waiting, ${change(dead)} AS dead,
      max(tries - tries_before) AS attempts,
      max(dead_reason) AS dead_reason
    FROM ${moved} GROUP BY tenant_id, event_id ORDER BY event_id
  ) c WHERE e.tenant_id = c.tenant_id AND e.id = c.event_id`
}

export const MOVED_COLUMNS = `d.tenant_id, d.id, d.event_id, d.state, d.state_before, d.tries, d.tries_before, d.dead_reason`
