/**
 * HMACs, which only a holder of the secret can make: over the body's bytes, and over their time
 * where the platform signs one.
 */
import { createHash, createHmac } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import {
  missing,
  rejected,
  step,
  type VerificationResult,
  type VerificationStep,
  verified,
} from './verification-result.ts'
import { describePlace, describeSignature } from './places.ts'
import type { HmacRule, SignatureAt, TimestampAt } from './verification-rules.ts'
import type { YieldAfter } from './yield-after.ts'
import type { RequestView } from './request-view.ts'
import { decode, sameBytes, secretBytes } from './secrets.ts'
import { readSignatures, type SignatureSet } from './signature-text.ts'
import { contentsOf } from './signed-content.ts'
import { checkTimestamp } from './timestamps.ts'

export async function verifyHmac(rule: HmacRule, view: RequestView): Promise<VerificationResult> {
  const keys = secretBytes(rule.key ?? { config: 'secret' }, view)
  if (keys.length === 0)
    return rejected('wrong_signature', missing('secret', 'a configured secret'))
  return await verifySigned(rule, view, async (given, timestamp) => {
    for (const key of keys) {
      for (const content of await contentsOf(rule, { view, timestamp, key })) {
        // The hash is made once, however many signatures it is compared with.
        const made = await digest(rule, key, content, view.yieldAfter)
        if (given.some((one) => sameBytes(one, made))) return true
      }
    }
    return false
  })
}

async function digest(
  { algorithm, bareHash }: HmacRule,
  key: Buffer,
  content: Buffer,
  yieldAfter: YieldAfter,
): Promise<Buffer> {
  if (algorithm === 'keccak256') return await keccak(content, yieldAfter)
  const hash = bareHash ? createHash(algorithm) : createHmac(algorithm, key)
  const made = hash.update(content).digest()
  await yieldAfter(content.length)
  return made
}

/** Keccak-256: OpenSSL has it, but Node does not offer it. In JavaScript a megabyte takes 20 ms. */
async function keccak(content: Buffer, yieldAfter: YieldAfter): Promise<Buffer> {
  const hash = keccak_256.create()
  for (let at = 0; at < content.length; at += KECCAK_PIECE_BYTES) {
    hash.update(content.subarray(at, at + KECCAK_PIECE_BYTES))
    await yieldAfter(KECCAK_PIECE_BYTES * KECCAK_SLOWNESS)
  }
  return Buffer.from(hash.digest())
}

const KECCAK_PIECE_BYTES = 64 * 1024
/**
 * How much slower it is than the hashes that `YieldAfter` counts by: 16 times, and 100 times in a
 * process that has just begun. Each piece has a turn of the event loop.
 */
const KECCAK_SLOWNESS = 64

interface SignedRule {
  readonly signature: SignatureAt
  readonly encoding: HmacRule['encoding']
  readonly signed: string
  readonly timestamp?: TimestampAt
}

/**
 * The order that HMACs and public-key signatures share: the signature is read, then matched, and
 * only then its time is checked, for a time that nobody signed proves nothing.
 */
export async function verifySigned(
  rule: SignedRule,
  view: RequestView,
  matches: (given: readonly Buffer[], timestamp: string) => boolean | Promise<boolean>,
): Promise<VerificationResult> {
  const where = describeSignature(rule.signature)
  const sets = readSignatures(rule.signature, view)
  if (sets === null) return rejected('no_signature', missing('signature', where))
  if (sets.length === 0) {
    return rejected('malformed_signature', step('signature', where, 'something else', false))
  }
  const count = sets.reduce((sum, { signatures }) => sum + signatures.length, 0)
  const found = step('signature', where, `${count} to compare`, true)
  const steps: VerificationStep[] = [found]
  for (const set of sets) {
    const timestamp = timestampText(rule.timestamp, set, view)
    if (timestamp === null) {
      const place = rule.timestamp?.at === 'signature' ? where : describeAt(rule.timestamp)
      return rejected('malformed_signature', found, missing('timestamp', place))
    }
    const given = set.signatures
      .map((text) => decode(text, rule.encoding))
      .filter((bytes) => bytes !== null)
    if (given.length === 0) {
      return rejected(
        'malformed_signature',
        found,
        step('encoding', rule.encoding, 'not so', false),
      )
    }
    if (await matches(given, timestamp)) {
      steps.push(step('match', `signature of ${rule.signed}`, 'the same', true))
      return resultByAge(rule.timestamp, timestamp, view, steps)
    }
  }
  return rejected(
    'wrong_signature',
    ...steps,
    step('match', `signature of ${rule.signed}`, 'another: wrong secret, or changed bytes', false),
  )
}

function resultByAge(
  rule: TimestampAt | undefined,
  timestamp: string,
  view: RequestView,
  steps: VerificationStep[],
): VerificationResult {
  if (rule === undefined) return verified(...steps)
  const age = checkTimestamp(rule, timestamp, view.request.receivedAt)
  return age.ok ? verified(...steps, age) : rejected('too_old', ...steps, age)
}

/** @returns null when the time is missing; an empty text when the platform signs no time */
function timestampText(
  rule: TimestampAt | undefined,
  set: SignatureSet,
  view: RequestView,
): string | null {
  if (rule === undefined) return ''
  if (rule.at === 'signature') return set.timestamp ?? null
  return view.values(rule.at)[0] ?? null
}

function describeAt(rule: TimestampAt | undefined): string {
  return rule === undefined || rule.at === 'signature' ? 'the signature' : describePlace(rule.at)
}
