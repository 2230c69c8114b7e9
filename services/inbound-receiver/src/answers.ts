/** What senders hear. Of a refusal they learn its status and no more: why, is on the receiver's record. */
import type { ErrorCode } from '@posthorn/contracts/errors'
import { ERROR_STATUS } from '@posthorn/contracts/errors'
import { MAX_NESTING } from '@posthorn/domain/nesting'
import type { RawAnswer } from '@posthorn/http/raw-router'
import type { AcceptedAnswer } from '@posthorn/inbound/answers'
import { MAX_FIELDS } from '@posthorn/inbound/form-fields'
import type { PayloadRefusal } from '@posthorn/inbound/payload'

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }
/**
 * What keeps us from taking it in does not end within seconds: a platform's keys are asked for once a minute, and a
 * script is mended by hand.
 */
const RETRY_AFTER_SECONDS = 60

function refusal(code: ErrorCode, error: string, headers: Record<string, string> = {}): RawAnswer {
  const body = JSON.stringify({ error, code })
  return { status: ERROR_STATUS[code], headers: { ...JSON_TYPE, ...headers }, body }
}

/** Made once: under a flood they are what costs. */
export const NO_SOURCE = refusal('NOT_FOUND', 'no such receiver')
export const SIGNATURE_INVALID = refusal('SIGNATURE_INVALID', 'the signature does not verify')
/** Of what can't be an event, whoever sent it: this is so for every receiver, and tells nothing about one. */
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
export const TOO_BUSY = refusal('UNAVAILABLE', 'this receiver is busy; send it again', {
  'Retry-After': '1',
})
export const NOT_ALLOWED = refusal('METHOD_NOT_ALLOWED', 'only POST is allowed here; see Allow', {
  Allow: 'POST, OPTIONS',
})

export const OPTIONS: RawAnswer = { status: 204, headers: { Allow: 'POST, OPTIONS' }, body: '' }

export function isUnacceptable(reason: string): reason is PayloadRefusal {
  return Object.hasOwn(UNACCEPTABLE, reason)
}

/** @param headers what some platforms must be asked with before they send who they are */
export function signatureInvalid(headers: Readonly<Record<string, string>>): RawAnswer {
  if (Object.keys(headers).length === 0) return SIGNATURE_INVALID
  return { ...SIGNATURE_INVALID, headers: { ...SIGNATURE_INVALID.headers, ...headers } }
}

/** @param id null: its script dropped it */
export function accepted(id: string | null, { status, headers, body }: AcceptedAnswer): RawAnswer {
  if (body !== null) return { status, headers, body }
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify({ id }) }
}
