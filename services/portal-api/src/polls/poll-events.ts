/**
 * GET /poll: an endpoint's oldest events, each hidden from other polls until it is acknowledged or
 * its visibility timeout ends. When there are none, it waits for some. Payloads are the bytes that
 * were sent.
 */
import { parseHeaders } from '@posthorn/contracts/due-delivery'
import { timeOfId } from '@posthorn/domain/ids'
import { type Handlers, rawJson } from '@posthorn/http/handlers'
import type { PolledEvent } from '@posthorn/store/pipeline/poll'
import type { Pool } from '@posthorn/store/pool'
import { findPolled } from './find-polled.ts'
import type { WaitingPolls } from './waiting-polls.ts'

export function createPollEvents(deps: {
  pool: Pool
  polls: Pick<WaitingPolls, 'wait'>
}): Handlers<'portal-api'>['pollEvents'] {
  return async ({ caller, query, signal }) => {
    const endpointId = query.endpoint_id
    const { customHeaders } = await findPolled(deps.pool, caller, endpointId)
    const target = { tenantId: caller.tenantId, endpointId }
    const events = await deps.polls.wait(target, query.limit, query.timeout * 1_000, signal())
    const texts = events.map((event) => toText(event, customHeaders ?? {}))
    return rawJson(`{"events":[${texts.join(',')}],"count":${events.length}}`)
  }
}

function toText(event: PolledEvent, customHeaders: Record<string, string>): string {
  const { id, eventType, payload } = event
  const own = parseHeaders(event.headers) ?? {}
  const before = JSON.stringify({ id, eventType }).slice(0, -1)
  const headers = JSON.stringify(merge(customHeaders, own))
  const createdAt = new Date(timeOfId(id)).toISOString()
  return `${before},"payload":${payload},"headers":${headers},"createdAt":"${createdAt}"}`
}

/**
 * As with a pushed delivery, names are compared without regard to case, and the event's own header
 * wins.
 */
function merge(
  custom: Record<string, string>,
  own: Record<string, string>,
): Record<string, string> {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  const rest = Object.entries(custom).filter(([name]) => !names.has(name.toLowerCase()))
  return { ...Object.fromEntries(rest), ...own }
}
