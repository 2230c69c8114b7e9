/** A hash that only who knows the secret can make, over the bytes that came, and where the platform signs one, their time. */
import { createHash, createHmac } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { missing, rejected, step, verified } from './judging.ts'
import { describePlace, describeSignature } from './places.ts'
import type { HmacRule, SignatureAt, TimestampAt } from './preset.ts'
import type { Reading } from './reading.ts'
import { decode, sameBytes, secretBytes } from './secrets.ts'
import { readSignatures, type SignatureSet } from './signature-text.ts'
import { contentsOf } from './signed-content.ts'
import { judgeTimestamp } from './timestamps.ts'
import type { Verdict, VerificationStep } from './verdict.ts'

export function verifyHmac(rule: HmacRule, reading: Reading): Verdict {
  const keys = secretBytes(rule.key ?? { config: 'secret' }, reading)
  if (keys.length === 0)
    return rejected('wrong_signature', missing('secret', 'a configured secret'))
  return judgeSigned(rule, reading, (given, timestamp) =>
    keys.some((key) =>
      contentsOf(rule, { reading, timestamp, key }).some((content) =>
        sameBytes(given, digest(rule, key, content)),
      ),
    ),
  )
}

function digest({ algorithm, bareHash }: HmacRule, key: Buffer, content: Buffer): Buffer {
  if (algorithm === 'keccak256') return Buffer.from(keccak_256(content))
  const hash = bareHash ? createHash(algorithm) : createHmac(algorithm, key)
  return hash.update(content).digest()
}

interface SignedRule {
  readonly signature: SignatureAt
  readonly encoding: HmacRule['encoding']
  readonly signed: string
  readonly timestamp?: TimestampAt
}

/**
 * The order that HMACs and public-key signatures share: the signature is read, then matched, then its time is judged:
 * a time that nobody signed says nothing.
 */
export function judgeSigned(
  rule: SignedRule,
  reading: Reading,
  matches: (given: Buffer, timestamp: string) => boolean,
): Verdict {
  const where = describeSignature(rule.signature)
  const sets = readSignatures(rule.signature, reading)
  if (sets === null) return rejected('no_signature', missing('signature', where))
  if (sets.length === 0) {
    return rejected('malformed_signature', step('signature', where, 'something else', false))
  }
  const found = step('signature', where, `${sets.length} to compare`, true)
  const steps: VerificationStep[] = [found]
  for (const set of sets) {
    const timestamp = timestampText(rule.timestamp, set, reading)
    if (timestamp === null) {
      const place = rule.timestamp?.at === 'signature' ? where : describeAt(rule.timestamp)
      return rejected('malformed_signature', found, missing('timestamp', place))
    }
    const given = set.signatures.map((text) => decode(text, rule.encoding))
    if (given.every((bytes) => bytes === null)) {
      return rejected(
        'malformed_signature',
        found,
        step('encoding', rule.encoding, 'not so', false),
      )
    }
    if (given.some((bytes) => bytes !== null && matches(bytes, timestamp))) {
      steps.push(step('match', `signature of ${rule.signed}`, 'the same', true))
      return judgeAge(rule.timestamp, timestamp, reading, steps)
    }
  }
  return rejected(
    'wrong_signature',
    ...steps,
    step('match', `signature of ${rule.signed}`, 'another: wrong secret, or changed bytes', false),
  )
}

function judgeAge(
  rule: TimestampAt | undefined,
  timestamp: string,
  reading: Reading,
  steps: VerificationStep[],
): Verdict {
  if (rule === undefined) return verified(...steps)
  const age = judgeTimestamp(rule, timestamp, reading.request.receivedAt)
  return age.ok ? verified(...steps, age) : rejected('too_old', ...steps, age)
}

/** @returns null when it should be there and is not; an empty text when the platform signs none */
function timestampText(
  rule: TimestampAt | undefined,
  set: SignatureSet,
  reading: Reading,
): string | null {
  if (rule === undefined) return ''
  if (rule.at === 'signature') return set.timestamp ?? null
  return reading.values(rule.at)[0] ?? null
}

function describeAt(rule: TimestampAt | undefined): string {
  return rule === undefined || rule.at === 'signature' ? 'the signature' : describePlace(rule.at)
}
