/**
 * What senders are answered. A refusal tells them its status and no more: the reason is on the
 * inbound endpoint's record.
 */
import type { ErrorCode } from '@posthorn/contracts/errors'
import { ERROR_STATUS } from '@posthorn/contracts/errors'
import { quotaMessage } from '@posthorn/contracts/usage'
import { MAX_NESTING } from '@posthorn/domain/nesting'
import type { RawAnswer } from '@posthorn/http/raw-router'
import type { AcceptedAnswer } from '@posthorn/inbound/answers'
import { MAX_FIELDS } from '@posthorn/inbound/form-fields'
import type { PayloadRefusal } from '@posthorn/inbound/verification-result'
import type { UsedQuota } from '@posthorn/store/usage/usage-meter'

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }
/**
 * The causes of a refusal for the time being last longer than seconds: a platform's keys are
 * fetched once a minute, and a script is repaired by hand.
 */
const RETRY_AFTER_SECONDS = 60

function refusal(code: ErrorCode, error: string, headers: Record<string, string> = {}): RawAnswer {
  const body = JSON.stringify({ error, code })
  return { status: ERROR_STATUS[code], headers: { ...JSON_TYPE, ...headers }, body }
}

/** These answers are made once: under a flood, making them would be what costs. */
export const NO_SOURCE = refusal('NOT_FOUND', 'no such inbound endpoint')
export const SIGNATURE_INVALID = refusal('SIGNATURE_INVALID', 'the signature does not verify')
/**
 * Answers to a body that can't be an event, whoever sent it. They are the same for all inbound
 * endpoints, so they tell nothing about one.
 */
export const UNACCEPTABLE: Readonly<Record<PayloadRefusal, RawAnswer>> = {
  too_deep: refusal('BAD_REQUEST', `the body is nested deeper than ${MAX_NESTING} levels`),
  too_many_fields: refusal('BAD_REQUEST', `the form has more than ${MAX_FIELDS} fields`),
}
export const TRY_LATER = refusal(
  'UNAVAILABLE',
  'it can not be taken in at the moment; send it again',
  {
    'Retry-After': String(RETRY_AFTER_SECONDS),
  },
)
export const TOO_BUSY = refusal('UNAVAILABLE', 'this inbound endpoint is busy; send it again', {
  'Retry-After': '1',
})
export const NOT_ALLOWED = refusal('METHOD_NOT_ALLOWED', 'only POST is allowed here; see Allow', {
  Allow: 'POST, OPTIONS',
})

export const OPTIONS: RawAnswer = { status: 204, headers: { Allow: 'POST, OPTIONS' }, body: '' }

/** The tenant's quota is used up: only a request that was verified is told so. */
export function quotaExceeded(used: UsedQuota): RawAnswer {
  const code: ErrorCode = 'QUOTA_EXCEEDED'
  const body = JSON.stringify({ error: quotaMessage(used), code, details: used })
  return { status: ERROR_STATUS[code], headers: JSON_TYPE, body }
}

export function isUnacceptable(reason: string): reason is PayloadRefusal {
  return Object.hasOwn(UNACCEPTABLE, reason)
}

/** @param headers some platforms send their credentials only after an answer with these */
export function signatureInvalid(headers: Readonly<Record<string, string>>): RawAnswer {
  if (Object.keys(headers).length === 0) return SIGNATURE_INVALID
  return { ...SIGNATURE_INVALID, headers: { ...SIGNATURE_INVALID.headers, ...headers } }
}

/** @param id null when the script has dropped the event */
export function accepted(id: string | null, { status, headers, body }: AcceptedAnswer): RawAnswer {
  if (body !== null) return { status, headers, body }
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify({ id }) }
}
