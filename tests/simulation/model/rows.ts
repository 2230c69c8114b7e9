/** The pipeline's rows as the model keeps them. Times are whole microseconds, as tokens are. */
import type { EndpointConfig } from '@posthorn/contracts/endpoints'

export interface TenantRow {
  id: string
  configVersion: number
  changedIn: number
}

export interface EndpointRow {
  tenantId: string
  id: string
  projectId: string
  status: 'active' | 'paused' | 'disabled'
  version: number
  config: EndpointConfig
  isDeleted: boolean
}

export interface EventRow {
  tenantId: string
  id: string
  seq: number
  projectId: string
  destination: string | null
  eventType: string | null
  endpointIds: string[] | null
  payload: string
  headers: string | null
  maxAttempts: number | null
  priority: number
  traceId: string
  fannedOutAt: number | null
  open: number
  delivering: number
  waiting: number
  dead: number
  attempts: number
  deliveredAt: number | null
  endedAt: number | null
  deadReason: string | null
  /** Only the model has this: the deliveries that were delivered when it was edited last. */
  deliveredUnedited: readonly string[]
}

export interface DeliveryRow {
  tenantId: string
  id: string
  eventId: string
  endpointId: string | null
  targetId: string
  seq: number
  priority: number
  state: number
  stateBefore: number
  attempts: number
  attemptsBefore: number
  endedAt: number | null
  deadReason: string | null
  lane: string | null
  edition: number
}

export interface AttemptRow {
  id: string
  eventId: string
  deliveryId: string
  attemptNumber: number
  statusCode: number
  superseded: boolean
}

export interface DueRow {
  tenantId: string
  id: string
  kind: number
  dueAt: number
  leased: boolean
  targetId: string | null
  seq: number | null
  /** Rounds in which fan-out failed. */
  failures?: number
}

export interface ParkedRow {
  tenantId: string
  targetId: string
  priority: number
  seq: number
  deliveryId: string
  eventId: string
  parkedAt: number
}

export interface BacklogRow {
  tenantId: string
  targetId: string
  endpointId: string | null
  epoch: number
  parks: number
}

export interface LaneRow {
  tenantId: string
  endpointId: string
  lane: string
  head: string | null
  tail: number
}

export interface LaneWaitingRow {
  tenantId: string
  endpointId: string
  lane: string
  position: number
  deliveryId: string
}

export interface KeyRow {
  tenantId: string
  key: string
  eventId: string
}

export interface LeaseRow {
  name: string
  owner: string
  leasedUntil: number
}

export interface OperationalRow {
  tenantId: string
  projectId: string
  id: string
  type: string
  fact: string
  payload: string
}

/** One entry of the rollups' outbox. Only the model has the ids of what is counted. */
export interface OutboxRow {
  tenantId: string
  id: string
  endpointId: string | null
  projectId: string | null
  /** The kind and the latency cell, as in the lowest bits of an entry's code. */
  what: number
  attemptId: string | null
  deliveryId: string | null
}

export interface Rows {
  tenants: TenantRow
  endpoints: EndpointRow
  events: EventRow
  deliveries: DeliveryRow
  attempts: AttemptRow
  due: DueRow
  parked: ParkedRow
  backlogs: BacklogRow
  lanes: LaneRow
  laneWaiting: LaneWaitingRow
  keys: KeyRow
  leases: LeaseRow
  operational: OperationalRow
  outbox: OutboxRow
}

export type TableName = keyof Rows

export const TABLE_NAMES: readonly TableName[] = [
  'tenants',
  'endpoints',
  'events',
  'deliveries',
  'attempts',
  'due',
  'parked',
  'backlogs',
  'lanes',
  'laneWaiting',
  'keys',
  'leases',
  'operational',
  'outbox',
]
