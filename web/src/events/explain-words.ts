/** Why an event went where it went, and what it waits for, in sentences. */
import type { Schemas } from '../api/client.ts'
import { t } from '../texts/t.ts'
import { count } from '../ui/time.tsx'

type Explanation = Schemas['EventExplanation']
type Reason = Explanation['deliveries'][number]['waitsFor']
type Endpoint = Explanation['endpoints'][number]

export function waitingText(waits: NonNullable<Reason>): string {
  const texts: Record<typeof waits.reason, string> = {
    delay: t('It was sent with a delay.'),
    fan_out: t('It is being matched with the endpoints.'),
    in_flight: t('A request is on its way right now.'),
    backoff: t('The last attempt failed; the next one comes after a pause that grows.'),
    paused: t('The endpoint is paused. Resume it, and this goes out.'),
    disabled: t('The endpoint is disabled. Enable it, and this goes out.'),
    circuit: t(
      'The endpoint failed too often in a row, so its circuit is open; it is probed soon.',
    ),
    rate_limit: t('The endpoint’s own rate limit is used up for now.'),
    overflow: t(
      'As many requests as the endpoint copes with are on their way; this one is next in turn.',
    ),
    lane: t('It waits for the events before it: the endpoint wants them in order.'),
    poll: t('It waits to be fetched by the consumer.'),
  }
  return texts[waits.reason]
}

export function mismatchText({ reason, filter }: Endpoint): string {
  if (reason === 'filter' && filter !== null) {
    const { condition, found, tooCostly } = filter
    if (tooCostly) return t('Its filter takes too many steps on this payload.')
    const seen =
      found.length === 0 ? t('nothing') : found.map((one) => JSON.stringify(one)).join(', ')
    return t('Its filter wants {field} {operator} {value}, and found {seen}.', {
      field: condition.field,
      operator: condition.operator,
      value: JSON.stringify(condition.value) ?? '',
      seen,
    })
  }
  const texts: Record<NonNullable<typeof reason>, string> = {
    project: t('It belongs to another project.'),
    type: t('It does not subscribe to this type.'),
    filter: t('Its filter does not match the payload.'),
    deleted: t('It had been deleted.'),
    created_later: t('It was made after the event.'),
    test: t('The event was a test for another endpoint.'),
    destination: t('The event went to a URL directly.'),
    changed: t('It was changed since: with what it is set to now, it would match.'),
  }
  return reason === null ? t('It matches.') : texts[reason]
}

/** The one sentence that somebody in a hurry needs. */
export function summaryText({
  status,
  deliveries,
  endpoints,
  deadReason,
  waitsFor,
}: Explanation): string {
  const failing = deliveries.filter(({ state }) => state === 'dead').length
  if (deliveries.length === 0 && waitsFor !== null) return waitingText(waitsFor)
  if (deliveries.length === 0 && endpoints.length === 0) {
    return t('No endpoint was there to receive it.')
  }
  if (deliveries.length === 0) return t('No endpoint subscribed to it: it went nowhere.')
  if (status === 'delivered') return t('Delivered to {n} of {n}.', { n: count(deliveries.length) })
  if (status === 'dead') {
    return t(
      '{failed} of {all} deliveries are dead: {why}. Nothing more happens until it is replayed.',
      {
        failed: count(failing),
        all: count(deliveries.length),
        why: deadReason ?? t('attempts used up'),
      },
    )
  }
  const waiting = deliveries.find((one) => one.waitsFor !== null)?.waitsFor
  return waiting ? waitingText(waiting) : t('It is on its way.')
}
