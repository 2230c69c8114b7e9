/**
 * PagerDuty's Events API v2: a firing opens an incident and its resolve closes it, both under one
 * key. It escapes nothing and shows plain text.
 */
import type { GuardedResponse } from '@posthorn/egress/guarded-client'
import { classifyAnswer } from './answers.ts'
import { cutText } from './escape.ts'
import type { Notification, PagerdutyTarget, TargetResult } from './target.ts'

export const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue'

const MAX_SUMMARY = 1_024
const MAX_DEDUP_KEY = 255
/** PagerDuty takes 512 KB in all; the details are a convenience. */
const MAX_DETAILS = 100_000
/** What PagerDuty asks for where it does not say. */
const TOO_MANY_MS = 30_000

export function pagerdutyBody(
  notification: Notification,
  config: PagerdutyTarget['config'],
  brand: string,
): string {
  const { dedupKey, fields, severity, text, title } = notification
  const isResolve = notification.status === 'resolved'
  const details = JSON.stringify(fields).length <= MAX_DETAILS ? fields : {}
  return JSON.stringify({
    routing_key: config.routingKey,
    event_action: isResolve ? 'resolve' : 'trigger',
    ...(dedupKey === undefined ? {} : { dedup_key: cutText(dedupKey, MAX_DEDUP_KEY) }),
    payload: {
      summary: cutText(text.trim() === '' ? title : text, MAX_SUMMARY),
      source: brand.toLowerCase(),
      severity,
      custom_details: details,
    },
  })
}

export function readPagerdutyAnswer(answer: GuardedResponse): TargetResult {
  const result = classifyAnswer(answer)
  const isTooMany = answer.outcome === 'response' && answer.statusCode === 429
  return isTooMany ? { ...result, retryAfterMs: result.retryAfterMs ?? TOO_MANY_MS } : result
}
