/** `posthorn explain`: why an event went where, and what it waits for, as a tree. */
import type {
  Attempt,
  EventExplanation,
  ExplainedDelivery,
} from '../../sdks/node/src/posthorn-node.ts'
import { connect, type GlobalOptions } from './connect.ts'
import type { Output } from './output.ts'
import { timeOfDay } from './points-in-time.ts'
import { clipped } from './terminal-text.ts'

export interface Branch {
  text: string
  below?: Branch[]
}

const MAX_TEXT = 200

export async function explain(eventId: string, options: GlobalOptions, out: Output): Promise<void> {
  const { posthorn } = await connect(options, out)
  const explained = await posthorn.events.explain(eventId)
  const { deliveries } = await posthorn.events.listDeliveries(eventId)
  out.result({ ...explained, attempts: deliveries }, treeLines(toTree(explained, deliveries)))
}

export function toTree(explained: EventExplanation, attempts: readonly Attempt[]): Branch {
  const { eventId, eventType, destination, status, createdAt, waitsFor, endpoints } = explained
  const matched = endpoints.filter((one) => one.matched)
  const others = endpoints.filter((one) => !one.matched)
  const own = (id: string): Attempt[] => attempts.filter((one) => one.deliveryId === id)
  const direct = explained.deliveries.filter((one) => one.endpointId === null)
  return {
    text: `${eventId}  ${eventType ?? `direct to ${destination}`}  ${status}`,
    below: [
      { text: `accepted ${createdAt}` },
      ...(explained.fannedOutAt === null ? [] : [{ text: `fanned out ${explained.fannedOutAt}` }]),
      ...(waitsFor === null ? [] : [{ text: waitText(waitsFor) }]),
      ...(explained.deadReason === null ? [] : [{ text: `dead: ${explained.deadReason}` }]),
      ...direct.map((one) => deliveryBranch(`to ${destination}`, one, own(one.id))),
      ...matched.map((endpoint) => {
        const name = endpointText(endpoint.endpointId, endpoint.description)
        const delivery = explained.deliveries.find(({ id }) => id === endpoint.deliveryId)
        if (delivery === undefined) return { text: `${name}: matches` }
        return deliveryBranch(name, delivery, own(delivery.id))
      }),
      ...others.map((endpoint) => ({
        text: `${endpointText(endpoint.endpointId, endpoint.description)}: not sent`,
        below: [
          { text: `because of its ${endpoint.reason ?? 'configuration'}` },
          ...filterOf(endpoint),
        ],
      })),
      ...(explained.hasMoreEndpoints ? [{ text: 'more endpoints are left out' }] : []),
      ...(explained.hasMoreDeliveries ? [{ text: 'more deliveries are left out' }] : []),
    ],
  }
}

function endpointText(id: string, description: string | null): string {
  return description === null ? id : `${id} (${clipped(description, 60)})`
}

function filterOf({ filter }: EventExplanation['endpoints'][number]): Branch[] {
  if (filter === null) return []
  const { condition, found, tooCostly } = filter
  const text = `${condition.field} ${condition.operator} ${JSON.stringify(condition.value)}`
  const what = tooCostly ? 'is too costly for this payload' : `found ${JSON.stringify(found)}`
  return [{ text: clipped(`condition ${text}: ${what}`, MAX_TEXT) }]
}

function deliveryBranch(
  name: string,
  delivery: ExplainedDelivery,
  attempts: readonly Attempt[],
): Branch {
  const { state, maxAttempts, waitsFor, deadReason } = delivery
  return {
    text: `${name}: ${state}, ${delivery.attempts} of ${maxAttempts} attempts`,
    below: [
      ...attempts.map((attempt) => ({ text: attemptText(attempt) })),
      ...(waitsFor === null ? [] : [{ text: waitText(waitsFor) }]),
      ...(deadReason === null ? [] : [{ text: `dead: ${clipped(deadReason, MAX_TEXT)}` }]),
    ],
  }
}

function attemptText(attempt: Attempt): string {
  const { attemptNumber, attemptedAt, statusCode, error, durationMs, responseBody } = attempt
  const answer = error === '' ? String(statusCode) : error
  const body = error === '' || responseBody === '' ? '' : `: ${responseBody}`
  const at = timeOfDay(new Date(attemptedAt))
  return clipped(`attempt ${attemptNumber} at ${at}: ${answer}, ${durationMs} ms${body}`, MAX_TEXT)
}

const REASONS: Readonly<Record<string, string>> = {
  delay: 'the time that its sender set',
  fan_out: 'its fan-out',
  in_flight: 'the result of an attempt',
  backoff: 'its next attempt',
  paused: 'the endpoint to be resumed',
  disabled: 'the endpoint to be resumed: it answered 410',
  circuit: 'the circuit of its target',
  rate_limit: 'the rate limit of its target',
  overflow: 'room at its target',
  lane: 'the delivery before it',
  poll: 'the consumer to fetch it',
}

function waitText({ reason, until }: { reason: string; until: string | null }): string {
  const end = until === null ? '' : `, until ${until}`
  return `waits for ${REASONS[reason] ?? reason}${end}`
}

export function treeLines({ text, below = [] }: Branch): string[] {
  const lines = below.flatMap((branch, at) => {
    const [first = '', ...rest] = treeLines(branch)
    const isLast = at === below.length - 1
    return [
      `${isLast ? '└─' : '├─'} ${first}`,
      ...rest.map((one) => `${isLast ? '  ' : '│ '} ${one}`),
    ]
  })
  return [text, ...lines]
}
