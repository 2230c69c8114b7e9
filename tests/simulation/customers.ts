/** What customers do: they send events, and pause, edit, replay and delete meanwhile. */
import type { Bus } from '@posthorn/bus/bus'
import { type DueDelivery, dueTopicOf } from '@posthorn/contracts/topics'
import { newId, timeOfId } from '@posthorn/domain/ids'
import { directTargetId } from '@posthorn/domain/target'
import type { StateStore } from '@posthorn/state/state-store'
import { acceptEvents, type NewEvent } from '@posthorn/store/pipeline/accept-events'
import { followMode } from '@posthorn/store/pipeline/follow-mode'
import { wakeTarget } from '@posthorn/store/pipeline/backlogs'
import { editEvent, replayEvents } from '@posthorn/store/pipeline/replay-events'
import type { Pool } from '@posthorn/store/pool'
import { CHANGE_ENDPOINT } from './model/configuration.ts'
import type { EndpointRow } from './model/rows.ts'
import type { Plan } from './plan.ts'

export interface CustomersDeps {
  pool: Pool
  bus: Bus
  state: StateStore
  tenantId: string
  projectId: string
  endpointIds: readonly string[]
  /** Waits for `ms` of virtual time. */
  pause(ms: number): Promise<void>
  /** Whether an attempt that is not the event's first is under way. */
  isRetrying(eventId: string): boolean
  /** Whether the event or one of its deliveries is of that day. */
  isOfDay(eventId: string, day: number): boolean
  /** Whether it was given up, and it or one of its deliveries is of a day that is old. */
  isOldAndDead(eventId: string): boolean
  /** Runs retention once. @param killedAfterMs its process is killed then */
  retain(killedAfterMs: number): Promise<void>
  /** The event was answered 201. */
  accepted(eventId: string): void
}

export interface Customers {
  send(event: DrawnEvent): Promise<void>
  act(action: Plan['actions'][number]): Promise<void>
  /** Replays what was sent and is of that day. */
  replayOfDay(day: number): Promise<void>
}

const RETRY_MS = 400
const LOOK_MS = 40
const MAX_LOOKS = 100

type DrawnEvent = Plan['events'][number]

function newEvent(
  { tenantId, projectId }: CustomersDeps,
  event: DrawnEvent,
  key: string,
): NewEvent {
  const destination = event.isDirect ? 'http://endpoint-direct/' : null
  return {
    tenantId,
    projectId,
    source: 'api',
    id: newId(),
    idempotencyKey: key,
    destination,
    targetId: destination === null ? null : directTargetId(tenantId, destination),
    eventType: destination === null ? 'order.paid' : null,
    payload: JSON.stringify({ lane: event.lane }),
    headers: null,
    maxAttempts: event.maxAttempts,
    priority: event.priority,
    traceId: 'trace',
    delaySeconds: 0,
  }
}

/** Posts events as an API client does, and announces what was accepted as ingest-api does. */
function createPoster(deps: CustomersDeps) {
  const { pool, bus, tenantId, projectId } = deps
  const sent: string[] = []

  /** Sends with one idempotency key until it is answered, as a client should. */
  async function send(event: DrawnEvent): Promise<void> {
    const key = newId()
    for (;;) {
      const one = newEvent(deps, event, key)
      // Several events have another statement than one: here the second is a duplicate.
      const others = sent.length % 3 === 2 ? [newEvent(deps, event, key)] : []
      const [outcome] = await acceptEvents(pool, [one, ...others]).catch(() => [])
      if (outcome?.outcome === 'accepted') announce(one, outcome)
      if (outcome !== undefined) {
        const id = outcome.outcome === 'accepted' ? one.id : outcome.eventId
        sent.push(id)
        return deps.accepted(id)
      }
      await deps.pause(RETRY_MS)
    }
  }

  function announce(event: NewEvent, { seq, token }: { seq: number; token: number }): void {
    if (event.destination === null) {
      bus.announce('event.accepted', [{ v: 1, tenantId, eventId: event.id }])
      return
    }
    const { id, destination, payload, priority, maxAttempts, traceId } = event
    const ids = { tenantId, projectId, eventId: id, deliveryId: id, endpointId: null, lane: null }
    announceDue({
      v: 1,
      kind: 'delivery',
      ...ids,
      token,
      destination,
      eventType: null,
      payload,
      headers: null,
      priority,
      seq,
      attempts: 0,
      attemptsBefore: 0,
      maxAttempts,
      traceId,
      createdAt: timeOfId(id),
    })
  }

  function announceDue(message: DueDelivery): void {
    bus.announce(dueTopicOf(message), [message])
  }

  return { send, sent, announceDue }
}

export function createCustomers(deps: CustomersDeps): Customers {
  const { pool, bus, tenantId } = deps
  const { send, sent, announceDue } = createPoster(deps)
  let edits = 0

  async function change(endpointId: string, changes: Partial<EndpointRow>): Promise<void> {
    await insist(() =>
      pool.query({ name: CHANGE_ENDPOINT, text: '', values: [endpointId, changes] }),
    )
    bus.announce('config.changed', [{ v: 1, tenantId, what: 'endpoints' }])
  }

  /** Repeats a request until it succeeds. */
  async function insist(work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      const isDone = await work().then(
        () => true,
        () => false,
      )
      if (isDone) return
      await deps.pause(RETRY_MS)
    }
  }

  async function act({ action, ms, which }: Plan['actions'][number]): Promise<void> {
    const endpointId = deps.endpointIds[which % deps.endpointIds.length] as string
    if (action === 'pause') {
      await change(endpointId, { status: 'paused' })
      await deps.pause(ms)
      await change(endpointId, { status: 'active' })
      await insist(() => wakeTarget(pool, tenantId, endpointId, false))
    } else if (action === 'delete') {
      await change(endpointId, { isDeleted: true })
      await insist(() => wakeTarget(pool, tenantId, endpointId, true))
      await insist(() => followMode(pool, { tenantId, endpointId }))
    } else if (action === 'reset circuit') {
      await deps.state.resetCircuit(endpointId)
      await insist(() => wakeTarget(pool, tenantId, endpointId, false))
    } else if (action === 'retain') {
      // Retention beside what nobody may replay any more is the dangerous one.
      for (let look = 0; look < MAX_LOOKS && !sent.some(deps.isOldAndDead); look += 1)
        await deps.pause(LOOK_MS)
      await deps.retain(ms)
    } else if (sent.length > 0) {
      const eventId = sent[which % sent.length] as string
      if (action !== 'replay') return await edit(eventId, action === 'edit and replay')
      await replay([eventId])
    }
  }

  async function replay(eventIds: string[]): Promise<void> {
    const replayed = await replayEvents(pool, tenantId, eventIds).catch(() => undefined)
    replayed?.work.forEach(announceDue)
  }

  async function replayOfDay(day: number): Promise<void> {
    const eventIds = sent.filter((id) => deps.isOfDay(id, day))
    if (eventIds.length > 0) await replay(eventIds)
  }

  /** Edits the payload. The event's lane stays, because it was fixed at fan-out. */
  async function edit(eventId: string, isReplayed: boolean): Promise<void> {
    // An edit in the middle of an attempt is the dangerous one, and drawing alone seldom hits one.
    for (let look = 0; look < MAX_LOOKS && !deps.isRetrying(eventId); look += 1)
      await deps.pause(LOOK_MS)
    edits += 1
    const payload = JSON.stringify({ edit: edits })
    const edited = await editEvent(pool, tenantId, eventId, { payload }, isReplayed).catch(
      () => undefined,
    )
    if (edited?.outcome === 'edited') edited.replayed?.work.forEach(announceDue)
  }

  return { send, act, replayOfDay }
}
