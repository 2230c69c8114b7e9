/** An endpoint in poll mode, with events sent to it as the pipeline does. For tests. */
import { beforeEach, expect } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { acceptEvents, type NewEvent } from '@posthorn/store/pipeline/accept-events'
import { fanOut } from '@posthorn/store/pipeline/fan-out'
import { eventually } from '@posthorn/testing/eventually'
import { type ApiResponse, type Json, portal, tenant, usePortal } from '../portal.fixture.ts'

export let endpointId: string

/** Before each test there is a new endpoint. */
export function usePollEndpoint(): void {
  usePortal()
  beforeEach(async () => {
    endpointId = await createEndpoint({ customHeaders: { 'X-Shop': 'one', 'X-Kind': 'shop' } })
  })
}

/** Another endpoint is polled from here on. */
export function pollEndpoint(id: string): void {
  endpointId = id
}

export async function createEndpoint(more: object = {}): Promise<string> {
  const body = { url: 'poll://orders', eventTypes: ['*'], deliveryMode: 'poll', ...more }
  const answer = await tenant.call('POST', '/endpoints', body)
  expect([answer.status, answer.body.deliveryMode]).toEqual([201, body.deliveryMode])
  return answer.body.id
}

export function newEvent(more: Partial<NewEvent> = {}): NewEvent {
  return {
    tenantId: tenant.tenantId,
    id: newId(),
    projectId: tenant.projectId,
    source: 'api',
    idempotencyKey: newId(),
    destination: null,
    targetId: null,
    eventType: 'order.paid',
    payload: '{"b":1.10,"a":12345678901234567890}',
    headers: null,
    maxAttempts: null,
    priority: 5,
    traceId: 'trace',
    delaySeconds: 0,
    ...more,
  }
}

/** Does what ingest and fan-out do. */
export async function send(more: Partial<NewEvent> = {}, announced = true): Promise<string> {
  const event = newEvent(more)
  const { tenantId, id: eventId } = event
  await acceptEvents(portal.pool, [event])
  await fanOut(portal.pool, [
    { tenantId, eventId, deliveries: [{ deliveryId: newId(), endpointId }] },
  ])
  if (announced) portal.bus.announce('poll.ready', [{ v: 1, tenantId, endpointId }])
  return eventId
}

export async function poll(query = ''): Promise<ApiResponse> {
  return await tenant.call('GET', `/poll?endpoint_id=${endpointId}${query}`)
}

export async function ack(...ids: string[]): Promise<ApiResponse> {
  return await tenant.call('POST', '/poll/ack', { endpoint_id: endpointId, event_ids: ids })
}

export const idsOf = (answer: ApiResponse): string[] => answer.body.events.map(({ id }: Json) => id)

/** The queries of polls that the service has sent, without the bookkeeping of the pool. */
export async function countFetches(during: () => Promise<void>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const query = portal.pool.query.bind(portal.pool)
  portal.pool.query = ((...args: unknown[]) => {
    const [statement] = args
    const name = (statement as { name?: string }).name ?? String(statement)
    counts[name] = (counts[name] ?? 0) + 1
    return (query as (...all: unknown[]) => unknown)(...args)
  }) as typeof portal.pool.query
  try {
    await during()
  } finally {
    portal.pool.query = query
  }
  return counts
}

export async function waiters(count: number): Promise<void> {
  await eventually(() => expect(portal.waitingPolls()).toBe(count))
}
