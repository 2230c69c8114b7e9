/**
 * Platforms that send a signed token: beside the body, bound to it by a hash in a claim or not at
 * all, or as the body itself. `jose` verifies the token, for jsonwebtoken knows neither EdDSA nor
 * key sets.
 */
import { createHash, createSecretKey, type KeyObject } from 'node:crypto'
import { isQuick } from '@posthorn/domain/is-quick'
import { isNestedTooDeep } from '@posthorn/domain/nesting'
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { resultWithoutKey } from './asymmetric.ts'
import {
  missing,
  rejected,
  type RejectionReason,
  step,
  type VerificationResult,
  type VerificationStep,
  verified,
} from './verification-result.ts'
import type { VerifierTools } from './custom-verifier.ts'
import { describePlace } from './places.ts'
import type { ClaimRule, JwtRule, PublicKeyAt, SharedKeyAt } from './verification-rules.ts'
import { findInKeySet, findPublicKeys, type FoundKeys, withConfigured } from './public-keys.ts'
import type { RequestView } from './request-view.ts'
import { sameText, secretBytes } from './secrets.ts'
import { signedContent, webhookUrl } from './signed-content.ts'

const MAX_HEADER_CHARACTERS = 8 * 1024
/** How far clocks may differ. */
const CLOCK_TOLERANCE_SECONDS = 60

export async function verifyJwt(
  rule: JwtRule,
  view: RequestView,
  tools: VerifierTools,
): Promise<VerificationResult> {
  const where = describePlace(rule.at)
  const text = view.values(rule.at)[0]
  if (text === undefined) return rejected('no_signature', missing('token', where))
  const token = tokenIn(text, rule)
  const header = token === null || !isBounded(token) ? null : headerOf(token)
  if (token === null || header === null) {
    return rejected(
      'malformed_signature',
      step('token', `a JWT in ${where}`, 'something else', false),
    )
  }
  // The algorithm is checked before any key is fetched: a token that names another one, or none, is
  // refused.
  const named = step('algorithm', rule.algorithms.join(', '), header.alg ?? 'none', true)
  if (!rule.algorithms.includes(header.alg ?? 'none')) {
    return rejected('malformed_signature', { ...named, ok: false })
  }
  const found = await keysOf(rule.key, header.kid, view, tools)
  if (found.outcome !== 'found') return resultWithoutKey(found)
  const checked = await check(token, found.keys, rule, view)
  if ('reason' in checked) return rejected(checked.reason, named, checked.step)
  const claims = (rule.claims ?? [])
    .filter(({ needs = [] }) => needs.every((name) => view.configured(name).length > 0))
    .map((claim) => checkClaim(claim, checked.payload, view))
  const steps = [named, step('token', 'valid', 'valid', true), ...claims]
  return claims.every(({ ok }) => ok) ? verified(...steps) : rejected('wrong_signature', ...steps)
}

/** @returns the token of a text that has the scheme the rule demands */
export function tokenIn(
  text: string,
  { scheme, optionalScheme }: Pick<JwtRule, 'scheme' | 'optionalScheme'>,
): string | null {
  if (scheme === undefined) return text.trim()
  if (text.toLowerCase().startsWith(scheme.toLowerCase())) return text.slice(scheme.length).trim()
  return optionalScheme ? text.trim() : null
}

/**
 * A library parses header and claims in one go, so both are bounded: a header is small, and claims
 * have few enough values to be parsed quickly.
 */
function isBounded(token: string): boolean {
  if (token.indexOf('.') > MAX_HEADER_CHARACTERS) return false
  const claims = claimsTextOf(token)
  return claims === null || (isQuick(claims) && !isNestedTooDeep(claims))
}

/** @returns the text of a token's claims, which may be empty; null when it has none */
export function claimsTextOf(token: string): string | null {
  const start = token.indexOf('.') + 1
  const end = token.indexOf('.', start)
  if (start === 0 || end === -1) return null
  return Buffer.from(token.slice(start, end), 'base64url').toString('utf8')
}

function headerOf(token: string): { alg?: string; kid?: string } | null {
  try {
    return decodeProtectedHeader(token) as { alg?: string; kid?: string }
  } catch {
    return null
  }
}

async function keysOf(
  at: SharedKeyAt | PublicKeyAt,
  kid: string | undefined,
  view: RequestView,
  tools: VerifierTools,
): Promise<FoundKeys> {
  if ('jwks' in at) return await findInKeySet(at.jwks, kid, view, tools)
  if ('config' in at && 'as' in at) {
    const keys = secretBytes(at, view).map((bytes) => createSecretKey(bytes))
    if (keys.length > 0) return { outcome: 'found', keys }
    return { outcome: 'malformed', why: 'no secret is configured' }
  }
  return await findPublicKeys(at, view, tools)
}

type Checked =
  | { readonly payload: JWTPayload }
  | { readonly reason: RejectionReason; readonly step: VerificationStep }

async function check(
  token: string,
  keys: readonly KeyObject[],
  rule: JwtRule,
  view: RequestView,
): Promise<Checked> {
  const options = {
    algorithms: [...rule.algorithms],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: new Date(view.request.receivedAt),
    // `jose` would add the tolerance, which is for clocks, to the limit that the platform sets.
    ...(rule.maxAgeSeconds === undefined
      ? {}
      : { maxTokenAge: rule.maxAgeSeconds - CLOCK_TOLERANCE_SECONDS }),
    ...issuerOf(rule, view),
    ...audienceOf(rule, view),
  }
  let failed: unknown
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key, options)
      return fromTheFuture(payload, view)
        ? { reason: 'too_old', step: step('token', 'valid', 'issued in the future', false) }
        : { payload }
    } catch (error) {
      failed = error
    }
  }
  return { reason: reasonOf(failed), step: step('token', 'valid', whatFailed(failed), false) }
}

/**
 * A token that says it was issued tomorrow would never be too old, and be accepted for as long as
 * its sender likes.
 */
function fromTheFuture({ iat = 0 }: JWTPayload, view: RequestView): boolean {
  return iat - view.request.receivedAt / 1000 > CLOCK_TOLERANCE_SECONDS
}

function issuerOf({ issuer }: JwtRule, view: RequestView): { issuer?: string[] } {
  if (issuer === undefined) return {}
  if (typeof issuer === 'object' && 'config' in issuer) {
    return given('issuer', view.configured(issuer.config))
  }
  const issuers = typeof issuer === 'string' ? [issuer] : issuer
  return { issuer: issuers.map((one) => withConfigured(one, view)) }
}

function audienceOf({ audience }: JwtRule, view: RequestView): { audience?: string[] } {
  if (audience === undefined) return {}
  if (audience === 'webhook-url') return { audience: [webhookUrl(view)] }
  const configured = view.configured(audience.config)
  const isUnset = configured.length === 0 && audience.or === 'webhook-url'
  return given('audience', isUnset ? [webhookUrl(view)] : configured)
}

function given<Name extends string>(
  name: Name,
  values: readonly string[],
): { [Key in Name]?: string[] } {
  return (values.length === 0 ? {} : { [name]: [...values] }) as { [Key in Name]?: string[] }
}

/** The claims that are times. */
const TIMES = new Set(['iat', 'nbf', 'exp'])

function reasonOf(error: unknown): RejectionReason {
  if (error instanceof errors.JWTExpired) return 'too_old'
  if (error instanceof errors.JWTClaimValidationFailed) {
    return TIMES.has(error.claim) ? 'too_old' : 'wrong_credentials'
  }
  return error instanceof errors.JWSSignatureVerificationFailed
    ? 'wrong_signature'
    : 'malformed_signature'
}

/** What failed, in words of this project: a library's message may repeat what the token holds. */
function whatFailed(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'expired'
  if (error instanceof errors.JWTClaimValidationFailed) return `claim ${error.claim} is another`
  return error instanceof errors.JWSSignatureVerificationFailed ? 'another signature' : 'malformed'
}

function checkClaim(rule: ClaimRule, payload: JWTPayload, view: RequestView): VerificationStep {
  const claimed = payload[rule.claim]
  const found = typeof claimed === 'boolean' ? String(claimed) : claimed
  const name = `claim ${rule.claim}`
  if (found === undefined && rule.absentWhenEmpty && view.request.body.length === 0) {
    return step(name, 'absent, as the body is empty', 'absent', true)
  }
  const [wanted, words] = wantedOf(rule, view)
  const ok = typeof found === 'string' && sameText(found, wanted)
  return step(name, words, found === undefined ? 'nothing' : ok ? 'equal' : 'another', ok)
}

function wantedOf({ is }: ClaimRule, view: RequestView): [string, string] {
  const signing = { view, timestamp: '', key: Buffer.alloc(0) }
  if ('text' in is) return [signedContent(is.text, signing).toString('utf8'), is.text]
  const hash = createHash(is.algorithm).update(signedContent(is.hashOf, signing))
  return [hash.digest(is.encoding), `${is.algorithm} of ${is.hashOf}, ${is.encoding}`]
}
