/**
 * A workspace and one of its customers, each with endpoints and a history of events: what the pages
 * are measured over. What was made in an earlier run is found again.
 */
import type { Pool } from '@posthorn/store/pool'
import { insertFinished } from '../fill-finished.ts'
import { fillChanges, fillCounts } from './fill-logs.ts'

/** Calls the API with the workspace's key, and answers the body of what it says. */
export type CallApi = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of all routes
) => Promise<any>

export interface PageStage {
  endpointId: string
  /** Somewhere in the middle of the list. */
  eventId: string
  destination: string
  /** Somebody who made changes. */
  personId: string
  customerId: string
  customerEndpointId: string
}

export interface StagePlan {
  events: number
  customerEvents: number
  changes: number
  days: number
}

interface StageDeps {
  call: CallApi
  database: Pool
  tenantId: string
  say(line: string): void
}

const ENDPOINTS = 20
const CUSTOMER = 'pages-customer'
export const EVENT_TYPES = [
  'order.paid',
  'order.shipped',
  'order.refunded',
  'invoice.created',
  'invoice.paid',
  'customer.updated',
  'product.sold-out',
]

export async function makeStage(plan: StagePlan, deps: StageDeps): Promise<PageStage> {
  const { call, database, tenantId } = deps
  const customerId = await findCustomer(call)
  const endpoints = await endpointsOf(call, {})
  const customerEndpoints = await endpointsOf(call, { 'X-Sub-Account-ID': customerId })
  await fillEvents(plan.events, tenantId, endpoints)
  await fillEvents(plan.customerEvents, customerId, customerEndpoints)
  const [endpointId = '', customerEndpointId = ''] = [endpoints[3], customerEndpoints[3]]
  const until = Date.now()
  const { days, changes } = plan
  const personId = await fillChanges(database, { tenantId, changes, days, until })
  const { rows } = await database.query<{ id: string; destination: string }>(
    `SELECT id, destination FROM events WHERE tenant_id = $1 AND destination IS NOT NULL
     ORDER BY id DESC OFFSET $2 LIMIT 1`,
    [tenantId, Math.min(10_000, Math.floor(plan.events / 2))],
  )
  const [event = { id: '', destination: '' }] = rows
  const { id: eventId, destination } = event
  return { endpointId, eventId, destination, personId, customerId, customerEndpointId }

  async function fillEvents(
    events: number,
    owner: string,
    endpointIds: readonly string[],
  ): Promise<void> {
    const given = { events, days: plan.days, tenantId: owner, endpointIds, until: Date.now() }
    const startedAt = performance.now()
    await insertFinished(database, { ...given, eventTypes: EVENT_TYPES })
    await fillCounts(database, owner, endpointIds, plan.days)
    deps.say(`${events} events in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  }
}

async function findCustomer(call: CallApi): Promise<string> {
  const made = await call('POST', '/api/v1/sub-accounts', { externalId: CUSTOMER })
  return made.id as string
}

async function endpointsOf(call: CallApi, headers: Record<string, string>): Promise<string[]> {
  const ids: string[] = []
  for (let number = 1; number <= ENDPOINTS; number += 1) {
    // Nothing is sent to them: all of their events have ended.
    const body = { url: `http://127.0.0.1:9/hooks/${number}`, eventTypes: ['order.*'] }
    const made = await call('POST', '/api/v1/endpoints', body, headers)
    ids.push(made.id as string)
  }
  return ids
}
