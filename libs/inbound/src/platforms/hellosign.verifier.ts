/**
 * Dropbox Sign: the event holds a hash over its time and type only, which leaves the rest of it
 * unprotected. It comes as a field of a multipart form, or as the body.
 */
import { createHmac } from 'node:crypto'
import {
  missing,
  rejected,
  step,
  type VerificationResult,
  verified,
} from '../verification-result.ts'
import { readPayload } from '../payload.ts'
import { textsAt, type RequestView } from '../request-view.ts'
import { decode, sameBytes, secretBytes } from '../secrets.ts'

export async function verifyHelloSign(view: RequestView): Promise<VerificationResult> {
  const payload = await readPayload(view.request, { verify: { kind: 'none' } })
  if ('refused' in payload) return rejected(payload.refused)
  const { document } = payload
  const [hash, time, type] = ['event_hash', 'event_time', 'event_type'].map(
    (name) => textsAt(`$.event.${name}`, document)[0],
  )
  if (hash === undefined)
    return rejected('no_signature', missing('signature', '$.event.event_hash'))
  const given = decode(hash, 'hex')
  if (given === null || time === undefined || type === undefined) {
    const found = step('signature', 'hex, with event_time and event_type', 'not so', false)
    return rejected('malformed_signature', found)
  }
  const ok = secretBytes({ config: 'secret' }, view).some((key) =>
    sameBytes(given, createHmac('sha256', key).update(`${time}${type}`).digest()),
  )
  const compared = step(
    'match',
    'hash of event_time and event_type',
    ok ? 'the same' : 'another',
    ok,
  )
  return ok ? verified(compared) : rejected('wrong_signature', compared)
}
