/**
 * Adyen's standard webhooks: every item of the batch has a signature of its own, over eight of its
 * fields. The rest of an item is not protected, and no recipient can change that.
 */
import { createHmac } from 'node:crypto'
import {
  missing,
  rejected,
  step,
  type VerificationResult,
  verified,
} from '../verification-result.ts'
import type { RequestView } from '../request-view.ts'
import { decode, sameBytes, secretBytes } from '../secrets.ts'

const WHERE = '$.notificationItems[*].NotificationRequestItem.additionalData.hmacSignature'
/** A short HMAC costs as much as this many bytes of a long one. */
const HMAC_COST_BYTES = 16 * 1024
const SIGNED = [
  ['pspReference'],
  ['originalReference'],
  ['merchantAccountCode'],
  ['merchantReference'],
  ['amount', 'value'],
  ['amount', 'currency'],
  ['eventCode'],
  ['success'],
]

export async function verifyAdyenItems(view: RequestView): Promise<VerificationResult> {
  const keys = secretBytes({ config: 'secret', as: 'hex' }, view)
  const items = itemsOf(view.json())
  if (items.length === 0) return rejected('no_signature', missing('signature', WHERE))
  for (const item of items) {
    const signature = memberOf(memberOf(item, 'additionalData'), 'hmacSignature')
    if (typeof signature !== 'string') {
      return rejected('no_signature', missing('signature of every item', WHERE))
    }
    const given = decode(signature, 'base64')
    const content = contentOf(item)
    if (given === null || content === null) {
      const found = step('item', 'base64, over fields that are texts or numbers', 'not so', false)
      return rejected('malformed_signature', found)
    }
    const ok = keys.some((key) =>
      sameBytes(given, createHmac('sha256', key).update(content).digest()),
    )
    // A body of a megabyte has room for ten thousand items.
    await view.yieldAfter(keys.length * (content.length + HMAC_COST_BYTES))
    if (!ok) {
      const found = step(
        'match',
        'signature of eight fields, with colons between',
        'another',
        false,
      )
      return rejected('wrong_signature', found)
    }
  }
  return verified(step('match', 'a signature for every item', `${items.length} the same`, true))
}

function itemsOf(body: unknown): unknown[] {
  const items = memberOf(body, 'notificationItems')
  return Array.isArray(items) ? items.map((item) => memberOf(item, 'NotificationRequestItem')) : []
}

/** @returns null when a signed field holds more than a text, a number or a boolean */
function contentOf(item: unknown): string | null {
  const values = SIGNED.map((path) => path.reduce(memberOf, item))
  const isPlain = values.every(
    (value) => value === undefined || value === null || typeof value !== 'object',
  )
  return isPlain ? values.map((value) => (value ?? '') as string).join(':') : null
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
