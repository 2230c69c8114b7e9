/**
 * Tells fan-out when a flood takes the processors that somebody else needs: deliveries of a flood
 * come by the bulk topics, and beside them those of a flow that is none. Fan-out then leaves time
 * to the others, more of it the later they are (`services/fanout/src/leave-time.ts`). A flood that
 * is alone has all of it.
 *
 * Part of a flood conforms to its rate and comes by the other topics. So a flow with a bulk message
 * in the last second is nobody else.
 */
import type { Received } from '@posthorn/bus/bus'
import {
  CONGESTION_EVERY_MS,
  type DeliveryDue,
  type DueTopicName,
  type FloodCongested,
} from '@posthorn/contracts/topics'
import { LEASE_MS } from '@posthorn/store/pipeline/sql/lease'

export interface CongestionWatch {
  /** Called with every batch that is read. */
  received(topic: DueTopicName, messages: readonly Received<DeliveryDue>[]): void
}

export interface CongestionWatchDeps {
  /** The tenants whose floods others go beside. */
  announce(messages: readonly FloodCongested[]): void
  /** What a message may take on the bus without being late, in ms. */
  batchingDelayMs: number
  /** In ms. */
  now(): number
  /** Postgres's time in ms. */
  databaseNow(): number
}

/** A flow, or a tenant, has a flood for so long after the last bulk message. */
const FLOOD_MS = 1_000
/** Some 100 bytes each. Further flows are taken for others, so that their tenants leave time. */
const MAX_FLOWS = 1_000
/** In one announcement. */
const MAX_TENANTS = 100
/** How many of the others' deliveries are looked at between two announcements. */
const MAX_SAMPLES = 200

export function createCongestionWatch(deps: CongestionWatchDeps): CongestionWatch {
  const { announce, batchingDelayMs, now, databaseNow } = deps
  /** When the last bulk message came, by flow and by tenant. */
  const flows = new Map<string, number>()
  const tenants = new Map<string, number>()
  /** How late the others' deliveries came since it was told last, in ms. */
  let lateness: number[] = []
  let othersAt = -Infinity
  let toldAt = -Infinity
  let forgotAt = -Infinity

  function noteFlood(messages: readonly Received<DeliveryDue>[], at: number): void {
    let last = ''
    for (const { value } of messages) {
      const flow = flowOf(value)
      // Runs of one flow are the rule: an event's deliveries are announced together.
      if (flow === last) continue
      last = flow
      if (flows.has(flow) || flows.size < MAX_FLOWS) {
        flows.set(flow, at)
        tenants.set(value.tenantId, at)
      }
    }
  }

  function noteOthers(messages: readonly Received<DeliveryDue>[], at: number): void {
    for (const { value } of messages) {
      if (value.kind !== 'delivery' || flows.has(flowOf(value))) continue
      othersAt = at
      // Not since the event was accepted: it may have been scheduled, or have waited in its lane.
      const announcedAt = value.token / 1_000 - LEASE_MS
      if (lateness.length < MAX_SAMPLES) lateness.push(databaseNow() - announcedAt)
    }
  }

  function forgetFloods(at: number): void {
    forgotAt = at
    for (const [flow, since] of flows) if (at - since >= FLOOD_MS) flows.delete(flow)
    for (const [tenant, since] of tenants) if (at - since >= FLOOD_MS) tenants.delete(tenant)
  }

  function tell(at: number): void {
    const told = [...tenants.keys()].slice(0, MAX_TENANTS)
    if (told.length === 0) return
    toldAt = at
    const medianMs = lateness.toSorted((a, b) => a - b)[lateness.length >> 1] ?? 0
    lateness = []
    const lateMs = Math.max(0, medianMs - batchingDelayMs)
    announce(told.map((tenantId) => ({ v: 1, tenantId, lateMs })))
  }

  return {
    received(topic, messages) {
      const isBulk = topic.endsWith('.bulk')
      if (!isBulk && flows.size === 0) return
      const at = now()
      if (isBulk) noteFlood(messages, at)
      else noteOthers(messages, at)
      if (at - forgotAt >= CONGESTION_EVERY_MS) forgetFloods(at)
      if (at - othersAt < CONGESTION_EVERY_MS && at - toldAt >= CONGESTION_EVERY_MS) tell(at)
    },
  }
}

/** What `announce-due.ts` of the bus measures, but for the priority. */
function flowOf(message: DeliveryDue): string {
  const { tenantId, endpointId } = message
  const what = message.kind === 'delivery' && endpointId !== null ? message.eventType : ''
  return `${tenantId} ${what ?? ''}`
}
