/** What may be done to a delivery, as the services do it, for tests in which two of these meet. */
import type { Pool } from '../pool.ts'
import { attemptOf, type TestDelivery } from '../store.fixture.ts'
import { acknowledge } from './acknowledge.ts'
import { type OwnedBacklog, parkDeliveries, takeParked } from './backlogs.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'
import { eraseEvents } from './erase-events.ts'
import { expireParked } from './expire-parked.ts'
import { showParked } from './follow-mode.ts'
import { repairLanes } from './lanes.ts'
import { fetchVisible } from './poll.ts'
import { recordAttempts } from './record-attempts.ts'
import { beginAttempts } from './renew-leases.ts'
import { editEvent, replayEvents } from './replay-events.ts'
import { sweepDue } from './sweep.ts'

/** A delivery and what its dispatcher knows of it. */
export interface Meeting {
  work: TestDelivery
  /** The lane that it is in; absent: none. */
  lane?: string
  /** Another delivery, in the same lane. */
  behind?: string
  /** The backlog of its target; null: nothing has been parked there. */
  backlog: OwnedBacklog | null
}

const WAITING = { state: 'waiting', afterMs: 60_000 } as const

export type Operation = (pool: Pool, meeting: Meeting) => Promise<unknown>

function headOf({ work, lane }: Meeting): { lane: string; token: number } | null {
  return lane === undefined ? null : { lane, token: work.token }
}

const take: Operation = async (pool, { backlog }) => {
  if (backlog !== null) await takeParked(pool, backlog, 10)
}
const park: Operation = (pool, { work }) => parkDeliveries(pool, [work])
export const record: Operation = (pool, meeting) =>
  recordAttempts(pool, [attemptOf(meeting.work, WAITING, { head: headOf(meeting) })])
const deliver: Operation = (pool, meeting) =>
  recordAttempts(pool, [attemptOf(meeting.work, { state: 'delivered' }, { head: headOf(meeting) })])
const begin: Operation = (pool, { work }) =>
  beginAttempts(pool, [{ tenantId: work.tenantId, id: work.deliveryId, token: work.token }])
export const cancel: Operation = (pool, meeting) => {
  const { tenantId, deliveryId, targetId } = meeting.work
  const head = headOf(meeting)
  const cancelled = { tenantId, deliveryId, reason: 'endpoint deleted' }
  if (head === null) return cancelDeliveries(pool, [cancelled])
  const ofEndpoint = { ...head, endpointId: targetId, whole: false }
  return cancelDeliveries(pool, [{ ...cancelled, head: ofEndpoint }])
}
const replay: Operation = (pool, { work }) => replayEvents(pool, work.tenantId, [work.eventId])
const edit: Operation = (pool, { work }) =>
  editEvent(pool, work.tenantId, work.eventId, { destination: 'https://other.example/' }, true)
const expire: Operation = (pool) => expireParked(pool, 30, 100)
const sweep: Operation = (pool) => sweepDue(pool, 100)
const repair: Operation = (pool) => repairLanes(pool)
const erase: Operation = (pool, { work }) =>
  eraseEvents(pool, work.tenantId, [
    {
      id: work.eventId,
      isByKey: false,
      isByDestination: false,
      isByTrace: false,
      isByReason: false,
    },
  ])
export const fetch: Operation = (pool, { work }) =>
  fetchVisible(pool, { tenantId: work.tenantId, endpointId: work.targetId }, 10, 30_000)
const confirm: Operation = (pool, { work }) =>
  acknowledge(pool, { tenantId: work.tenantId, endpointId: work.targetId }, [work.eventId])
const show: Operation = async (pool, { backlog }) => {
  if (backlog !== null) await showParked(pool, backlog, 10)
}

export const PUSHED = {
  take,
  park,
  record,
  deliver,
  begin,
  cancel,
  replay,
  edit,
  expire,
  sweep,
  erase,
}
export const IN_LANE = { take, park, record, deliver, cancel, replay, expire, sweep, erase, repair }
export const POLLED = { fetch, confirm, show, take, cancel, replay, expire, sweep, erase }
