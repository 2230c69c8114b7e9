/**
 * The one way in which an event's counts of its deliveries change: by what a guarded UPDATE of
 * deliveries returned. A statement locks deliveries first, then their events in the order of the
 * events' ids, then rows of `due`. All statements keep to this order, so they can't deadlock.
 *
 * An event ends here, when its last open delivery does; fan-out that puts an event aside is the one
 * exception. So the operational event that tells of its death is written here, whatever ended it.
 */
import { STATE_CODE } from '@posthorn/domain/delivery-state'
import { codeNowSql, writeOutboxSql } from '../../rollups/entries.ts'
import { UNBOUNDED, type PartitionBounds } from './partition-bounds.ts'
import { DEAD_COLUMNS, publishDead } from './publish-dead.ts'

const { delivering, waiting, delivered, dead } = STATE_CODE
const ENDED = `(${delivered}, ${dead})`

function change(code: number): string {
  return `sum((state = ${code})::int - (state_before = ${code})::int)::int`
}

/**
 * What becomes of an event's count of attempts and of its reason: they grow, they start again, or
 * they become those of its other deliveries.
 */
type Carried = 'grow' | 'afresh' | 'others'

/**
 * CTEs for the end of a WITH: `counted` updates the events, and `published` writes the operational
 * events of those that have ended dead. The replay of a whole event counts `afresh`, the replay of
 * some of its deliveries counts by the `others`; neither can end an event.
 *
 * @param moved names the CTE that returned `MOVED_COLUMNS`
 * @param bounds of the events, where they are known
 */
export function countMoved(
  moved: string,
  bounds: PartitionBounds = UNBOUNDED,
  attempts: Carried = 'grow',
): string {
  const counted = countedText(moved, bounds, attempts)
  return attempts === 'grow' ? `${counted}, ${publishDead('counted')}` : counted
}

/** As `countMoved`, for what moves a delivery of an event that cannot end dead by it. */
export function countWithoutDeath(moved: string, bounds: PartitionBounds): string {
  return countedText(moved, bounds, 'grow')
}

function countedText(moved: string, bounds: PartitionBounds, attempts: Carried): string {
  return `counted AS (${updateText(moved, attempts)} AND ${bounds.within('e.id')}
  RETURNING ${DEAD_COLUMNS}, c.open < 0 AND e.open_count = 0 AND e.dead_count > 0 AS is_dead)`
}

/**
 * As `countMoved`, for statements that end deliveries without an attempt: what has ended goes into
 * the outbox of the rollups as well.
 */
export function countEnded(moved: string, bounds: PartitionBounds = UNBOUNDED): string {
  const entries = `SELECT m.tenant_id, m.endpoint_id, c.project_id,
      CASE m.state WHEN ${dead} THEN ${codeNowSql('dead')} ELSE ${codeNowSql('acknowledged')} END AS code
    FROM ${moved} m JOIN counted c ON c.tenant_id = m.tenant_id AND c.id = m.event_id
    WHERE m.state IN ${ENDED} AND m.state_before NOT IN ${ENDED}`
  return `${countMoved(moved, bounds)}, ${writeOutboxSql('outbox', entries)}`
}

function updateText(moved: string, attempts: Carried): string {
  const others = `FROM deliveries o
    WHERE o.tenant_id = e.tenant_id AND o.event_id = e.id AND o.endpoint_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM ${moved} m WHERE m.tenant_id = o.tenant_id AND m.id = o.id)`
  // The event is locked when it is changed, and its other deliveries are read as they were before:
  // only the event's own row tells of one that ended dead meanwhile.
  const kept = 'CASE WHEN e.dead_count + c.dead > 0 THEN e.dead_reason END'
  const carried = {
    grow: `attempts = greatest(e.attempts, c.attempts),
    dead_reason = coalesce(c.dead_reason, e.dead_reason)`,
    afresh: `attempts = 0, dead_reason = ${kept}`,
    others: `attempts = coalesce((SELECT max(o.tries - o.tries_before) ${others}), 0),
    dead_reason = coalesce((SELECT max(o.dead_reason) ${others}), ${kept})`,
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
      ${change(delivering)} AS delivering,
      ${change(waiting)} AS waiting,
      ${change(dead)} AS dead,
      max(attempts - attempts_before) AS attempts,
      max(dead_reason) AS dead_reason
    FROM ${moved} GROUP BY tenant_id, event_id ORDER BY event_id
  ) c WHERE e.tenant_id = c.tenant_id AND e.id = c.event_id`
}

/** For the RETURNING of an UPDATE of `deliveries d`. */
export const MOVED_COLUMNS = `d.tenant_id, d.id, d.event_id, d.endpoint_id, d.state,
    d.state_before, d.tries AS attempts, d.tries_before AS attempts_before, d.dead_reason`
