/** The pipeline's hot statements, each ready to be run as often as one likes. For a test. */
import { expect } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { newId } from '@posthorn/domain/ids'
import type pg from 'pg'
import { createChangedTenants } from './changed-tenants.ts'
import { acceptEvents, type NewEvent } from './pipeline/accept-events.ts'
import { acknowledge } from './pipeline/acknowledge.ts'
import { cancelDeliveries } from './pipeline/cancel-deliveries.ts'
import { fanOut, fanOutInOrder, readOldestWaiting, readWaitingEvents } from './pipeline/fan-out.ts'
import { parkDeliveries, takeBacklog, takeParked } from './pipeline/backlogs.ts'
import { beginAttempts, renewLeases } from './pipeline/renew-leases.ts'
import {
  type ExpiringVisibility,
  expireVisibility,
  fetchVisible,
  findVisible,
  type PollTarget,
} from './pipeline/poll.ts'
import { recordAttempts } from './pipeline/record-attempts.ts'
import { loadPayloads, loadDueDeliveries } from './pipeline/load-due-deliveries.ts'
import { sweepDue } from './pipeline/sweep.ts'
import type { Pool } from './pool.ts'
import {
  attemptOf,
  directEvent,
  type Tenant,
  typedEvent,
  type TestDelivery,
} from './store.fixture.ts'

/** Where they run; it may become another between two of them. */
export interface StatementContext {
  tenant: Tenant
  /** All on one connection, as a pool's connection would see them. */
  pool: Pool
  client: pg.PoolClient
}

const ROWS = 12

/** Prepares a statement's rows and gives back how to run it. */
type Prepare = (on: StatementContext) => Promise<() => Promise<unknown>>

function works(
  on: StatementContext,
  events: readonly NewEvent[],
  tokens: readonly number[],
): TestDelivery[] {
  return events.map((event, at) => ({
    ...on.tenant,
    eventId: event.id,
    deliveryId: event.id,
    endpointId: null,
    targetId: event.targetId ?? '',
    token: tokens[at] ?? 0,
    priority: 5,
    seq: at,
    attempts: 0,
  }))
}

export async function accept(on: StatementContext, count: number): Promise<TestDelivery[]> {
  const events = Array.from({ length: count }, () => directEvent(on.tenant))
  const outcomes = await acceptEvents(on.pool, events)
  return works(
    on,
    events,
    outcomes.map((outcome) => (outcome.outcome === 'accepted' ? outcome.token : 0)),
  )
}

async function acceptTyped(
  on: StatementContext,
  count: number,
): Promise<{ tenantId: string; eventId: string }[]> {
  const events = Array.from({ length: count }, () => typedEvent(on.tenant))
  await acceptEvents(on.pool, events)
  return events.map(({ id }) => ({ tenantId: on.tenant.tenantId, eventId: id }))
}

function leaseOf(work: TestDelivery): {
  tenantId: string
  eventId: string
  id: string
  token: number
} {
  const { tenantId, eventId, deliveryId: id, token } = work
  return { tenantId, eventId, id, token }
}

/**
 * Fans out the tenant's oldest events, one delivery each, in as many lanes.
 * @returns their heads
 */
async function fillLanes(
  on: StatementContext,
  endpointId: string,
  events: number,
  lanes = events,
): Promise<DueDelivery[]> {
  const { tenantId } = on.tenant
  const oldest = await readOldestWaiting(on.pool, [{ tenantId, limit: events }])
  const planned = (await readWaitingEvents(on.pool, oldest)).map(({ id }, at) => ({
    tenantId,
    eventId: id,
    deliveries: [{ deliveryId: newId(), endpointId, lane: String(at % lanes) }],
  }))
  const { tokens } = await fanOutInOrder(on.pool, tenantId, planned)
  return await loadDueDeliveries(
    on.pool,
    [...tokens].map(([id, token]) => ({ tenantId, id, token: token ?? 0 })),
  )
}

/** An endpoint in poll mode with something to fetch. */
async function makePolled(on: StatementContext, count: number): Promise<PollTarget> {
  const endpointId = newId()
  const { tenantId } = on.tenant
  await on.client.query(
    `INSERT INTO endpoints (tenant_id, id, project_id, status, version, config)
   VALUES ($1, $2, $3, 'active', 1, '{"deliveryMode": "poll"}')`,
    [tenantId, endpointId, on.tenant.projectId],
  )
  const waiting = await acceptTyped(on, count)
  await fanOut(
    on.pool,
    waiting.map((event) => ({ ...event, deliveries: [{ deliveryId: newId(), endpointId }] })),
  )
  return { tenantId, endpointId }
}

export const HOT_STATEMENTS: Record<string, Prepare> = {
  async accept(on) {
    return async () => await accept(on, ROWS)
  },
  async 'changed tenants'(on) {
    const changedTenants = createChangedTenants(on.pool)
    await changedTenants()
    return async () => {
      await on.client.query(
        'UPDATE tenants SET config_version = config_version + 1 WHERE id = $1',
        [on.tenant.tenantId],
      )
      expect(await changedTenants()).toHaveProperty('size', 1)
    }
  },
  async duplicates(on) {
    const events = Array.from({ length: ROWS }, () => directEvent(on.tenant))
    await acceptEvents(on.pool, events)
    return async () =>
      await acceptEvents(
        on.pool,
        events.map((event) => ({ ...event, id: newId() })),
      )
  },
  async readWaiting(on) {
    const waiting = await acceptTyped(on, ROWS)
    return async () => await readWaitingEvents(on.pool, waiting)
  },
  async fanOut(on) {
    const waiting = await acceptTyped(on, ROWS)
    return async () =>
      await fanOut(
        on.pool,
        waiting.map((event) => ({
          ...event,
          deliveries: [{ deliveryId: newId(), endpointId: newId() }],
        })),
      )
  },
  async loadWork(on) {
    const made = await accept(on, ROWS)
    return async () => await loadDueDeliveries(on.pool, made.map(leaseOf))
  },
  async renew(on) {
    const made = await accept(on, ROWS)
    return async () => await renewLeases(on.pool, made.map(leaseOf))
  },
  async begin(on) {
    const made = await accept(on, ROWS)
    return async () => await beginAttempts(on.pool, made.map(leaseOf))
  },
  async record(on) {
    const made = await accept(on, ROWS)
    return async () =>
      await recordAttempts(
        on.pool,
        made.map((work) => attemptOf(work, { state: 'waiting', afterMs: 60_000 })),
      )
  },
  async cancel(on) {
    const made = await accept(on, ROWS)
    return async () =>
      await cancelDeliveries(
        on.pool,
        made.map(({ tenantId, eventId, deliveryId }) => ({
          tenantId,
          eventId,
          deliveryId,
          reason: 'x',
        })),
      )
  },
  async park(on) {
    const made = await accept(on, ROWS)
    return async () => await parkDeliveries(on.pool, made)
  },
  async take(on) {
    const destination = `https://example.com/${newId()}`
    const targetId = newId()
    const events = Array.from({ length: ROWS }, () =>
      directEvent(on.tenant, { destination, targetId }),
    )
    const outcomes = await acceptEvents(on.pool, events)
    const tokens = outcomes.map((outcome) => (outcome.outcome === 'accepted' ? outcome.token : 0))
    const [backlog] = await parkDeliveries(on.pool, works(on, events, tokens))
    if (backlog === undefined) throw new Error('no backlog was made')
    const taken = await takeBacklog(on.pool, { v: 1, kind: 'backlog', ...backlog })
    if (taken === null) throw new Error('the backlog was not taken')
    return async () => await takeParked(on.pool, taken, ROWS)
  },
  async sweep(on) {
    const made = await accept(on, ROWS)
    await on.client.query(
      `UPDATE due SET due_at = now() - interval '1 second' WHERE id = ANY ($1::uuid[])`,
      [made.map(({ deliveryId }) => deliveryId)],
    )
    return async () => await sweepDue(on.pool, 100)
  },
  async loadPayloads(on) {
    const made = await accept(on, ROWS)
    return async () => await loadPayloads(on.pool, made)
  },
  async fanOutInOrder(on) {
    await acceptTyped(on, ROWS)
    return async () => await fillLanes(on, newId(), ROWS)
  },
  async recordHeads(on) {
    await acceptTyped(on, 2 * ROWS)
    const heads = await fillLanes(on, newId(), 2 * ROWS, ROWS)
    return async () => {
      const { released } = await recordAttempts(
        on.pool,
        heads.map((head) => ({
          ...attemptOf({ ...head, targetId: head.endpointId ?? '' }, { state: 'delivered' }),
          head: { lane: head.lane ?? '', token: head.token },
        })),
      )
      expect(released).toHaveLength(ROWS)
    }
  },
  async cancelLane(on) {
    await acceptTyped(on, ROWS)
    const [head] = await fillLanes(on, newId(), ROWS, 1)
    const { tenantId, deliveryId, endpointId, lane, token } = head as DueDelivery
    const where = { endpointId: endpointId ?? '', lane: lane ?? '', token, whole: true }
    return async () =>
      await cancelDeliveries(on.pool, [{ tenantId, deliveryId, reason: 'x', head: where }])
  },
  async fetchVisible(on) {
    const target = await makePolled(on, ROWS)
    return async () => await fetchVisible(on.pool, target, ROWS, 30_000)
  },
  async findVisible(on) {
    const target = await makePolled(on, 1)
    return async () => await findVisible(on.pool, [target])
  },
  async acknowledge(on) {
    const target = await makePolled(on, ROWS)
    const fetched = await fetchVisible(on.pool, target, ROWS, 30_000)
    return async () =>
      await acknowledge(
        on.pool,
        target,
        fetched.map(({ id }) => id),
      )
  },
  async endVisibility(on) {
    const target = await makePolled(on, ROWS)
    await fetchVisible(on.pool, target, ROWS, 30_000)
    const { rows } = await on.client.query<ExpiringVisibility>(
      `SELECT tenant_id AS "tenantId", id, micros(due_at) AS token FROM due WHERE target_id = $1`,
      [target.endpointId],
    )
    return async () => await expireVisibility(on.pool, rows)
  },
}
