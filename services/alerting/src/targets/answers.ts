/** What an HTTP answer means for a notification, where the target has no rules of its own. */
import type { GuardedResponse } from '@posthorn/egress/guarded-client'
import type { TargetResult } from './target.ts'

const MAX_ERROR = 500
/** A target that asks for more is asked again sooner. */
const MAX_RETRY_AFTER_MS = 3_600_000

/** Another attempt may help after these, and after whatever went wrong with the connection. */
export function classifyStatus(statusCode: number): TargetResult['outcome'] {
  if (statusCode >= 200 && statusCode < 300) return 'sent'
  return statusCode === 408 || statusCode === 429 || statusCode >= 500 ? 'retry' : 'failed'
}

export function classifyAnswer(answer: GuardedResponse): TargetResult {
  if (answer.outcome === 'error') {
    const outcome = answer.category === 'blocked' ? 'failed' : 'retry'
    return { outcome, statusCode: null, error: errorText(answer), retryAfterMs: null }
  }
  const { statusCode, headers } = answer
  const outcome = classifyStatus(statusCode)
  if (outcome === 'sent') return { outcome, statusCode, error: null, retryAfterMs: null }
  const retryAfterMs = outcome === 'retry' ? readRetryAfter(headers['retry-after']) : null
  return { outcome, statusCode, error: errorText(answer), retryAfterMs }
}

/** An answer that says 200 and means no. */
export function failedFor(answer: GuardedResponse): TargetResult {
  const statusCode = answer.outcome === 'response' ? answer.statusCode : null
  return { outcome: 'failed', statusCode, error: errorText(answer), retryAfterMs: null }
}

export function errorText(answer: GuardedResponse): string {
  if (answer.outcome === 'error') return shorten(answer.detail)
  const body = answer.body.replace(/\s+/g, ' ').trim()
  return shorten(body === '' ? `HTTP ${answer.statusCode}` : `HTTP ${answer.statusCode}: ${body}`)
}

export function shorten(text: string): string {
  return Array.from(text).slice(0, MAX_ERROR).join('')
}

/** Seconds; a date is not worth a clock here. */
function readRetryAfter(value: string | undefined): number | null {
  const seconds = value === undefined || value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(seconds) || seconds < 0) return null
  return Math.min(Math.ceil(seconds * 1_000), MAX_RETRY_AFTER_MS)
}
