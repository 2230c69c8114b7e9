/**
 * Answers a platform that asks whether this address is ready to receive, by the rules of its
 * preset.
 */
import { createHmac } from 'node:crypto'
import type { EchoFormat, HandshakeRule, HashEcho, HandshakeCondition } from './handshake-rules.ts'
import type { RequestView } from './request-view.ts'
import { sameText } from './secrets.ts'
import type { HandshakeAnswer } from './verification-result.ts'

/**
 * A value to be echoed is short; a longer one is somebody else's text, which is not served from
 * here.
 */
const MAX_ECHO = 2_048
/** A handshake's body is short, too: a longer one is an event. */
const MAX_QUESTION_BYTES = 64 * 1024
const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** @param signed whether the request has been verified */
export function answerHandshake(
  rules: readonly HandshakeRule[],
  view: RequestView,
  signed: boolean,
): HandshakeAnswer | null {
  if (view.request.body.length > MAX_QUESTION_BYTES) return null
  for (const rule of rules) {
    if ((rule.signed ?? false) !== signed || !fits(rule.when, view)) continue
    if (!isProven(rule.when, view)) return { status: 403, headers: {}, body: '' }
    const answer = answerBy(rule, view)
    if (answer !== null) return answer
  }
  return null
}

function fits(
  { method, has, hasNot, equals, emptyBody }: HandshakeCondition,
  view: RequestView,
): boolean {
  const { request } = view
  return (
    request.method === method &&
    (!emptyBody || request.body.length === 0) &&
    (has ?? []).every((at) => view.values(at).length > 0) &&
    (hasNot ?? []).every((at) => view.values(at).length === 0) &&
    (equals ?? []).every(({ at, text }) => view.values(at)[0] === text)
  )
}

function isProven({ proof }: HandshakeCondition, view: RequestView): boolean {
  if (proof === undefined) return true
  if (proof.whenSet && view.configured(proof.config).length === 0) return true
  const given = view.values(proof.at)[0]
  return given !== undefined && view.configured(proof.config).some((one) => sameText(given, one))
}

function answerBy(rule: HandshakeRule, view: RequestView): HandshakeAnswer | null {
  if ('custom' in rule) return rule.custom(view)
  if ('answer' in rule) {
    const { status, body = '', type } = rule.answer
    return { status, headers: type === undefined ? {} : { 'content-type': type }, body }
  }
  const value = view.values(rule.echo)[0]
  return value === undefined || value.length > MAX_ECHO ? null : echo(rule.as, value, view)
}

function echo(as: EchoFormat, value: string, view: RequestView): HandshakeAnswer | null {
  if ('text' in as) return { status: 200, headers: TEXT, body: value }
  if ('json' in as)
    return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ [as.json]: value }) }
  if ('hash' in as) return echoHash(as, value, view)
  // Any other character could end the header.
  return /^[\x20-\x7e]*$/.test(value)
    ? { status: 200, headers: { [as.header]: value }, body: '' }
    : null
}

function echoHash(as: HashEcho, value: string, view: RequestView): HandshakeAnswer | null {
  const [secret] = view.configured(as.key)
  if (secret === undefined || !as.alphabet.test(value))
    return { status: 403, headers: {}, body: '' }
  const hash = createHmac('sha256', secret).update(value).digest(as.encoding)
  const answer = {
    ...(as.beside === undefined ? {} : { [as.beside]: value }),
    [as.hash]: `${as.prefix ?? ''}${hash}`,
  }
  return { status: 200, headers: JSON_TYPE, body: JSON.stringify(answer) }
}
