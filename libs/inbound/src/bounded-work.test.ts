/**
 * How much work a request that nobody has verified can cause, by the places and formats of its
 * signature.
 */
import { createHmac } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { SOURCE_REF, NOW, requestOf } from './platform-verifier.fixture.ts'
import type { Preset } from './preset.ts'
import type { HmacRule } from './verification-rules.ts'
import { createVerifier } from './verifier.ts'

const verifier = createVerifier({
  fetchText: () => Promise.reject(new Error('nothing is asked for')),
  now: () => NOW,
})
const HEX = createHmac('sha256', 's').update('x').digest('hex')

/** Counts how often the signed content is made: once for each time that the body is hashed. */
async function hashings(
  rule: Pick<HmacRule, 'signature' | 'timestamp'>,
  headers: Record<string, string>,
): Promise<{ outcome: string; times: number }> {
  let times = 0
  const verify: HmacRule = {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signed: 'x',
    content: (_, timestamp) => {
      times += 1
      return [timestamp === '' ? 'x' : timestamp]
    },
    ...rule,
  }
  const { outcome } = await verifier.verify(
    { verify } as Preset,
    requestOf({ headers, body: 'b' }),
    { secret: 's' },
    SOURCE_REF,
  )
  return { outcome, times }
}

test('however many signatures there are, the body is hashed once', async () => {
  const wrong = Array(99).fill('00'.repeat(32)).join(',')
  const list = { at: { header: 'S' }, format: { kind: 'list', separator: ',' } } as const
  expect(await hashings({ signature: list }, { S: wrong })).toEqual({
    outcome: 'rejected',
    times: 1,
  })
  expect(await hashings({ signature: list }, { S: `${wrong},${HEX}` })).toEqual({
    outcome: 'verified',
    times: 1,
  })
  const numbered = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`S-${n + 1}`, n === 99 ? HEX : '00']),
  )
  expect(await hashings({ signature: { at: { numberedHeader: 'S-' } } }, numbered)).toEqual({
    outcome: 'verified',
    times: 1,
  })
})

test('where each signature has a time of its own, only a few are checked', async () => {
  const sets = Array.from({ length: 50 }, (_, n) => `t=${n},v1=00`).join(' ')
  const at = { header: 'S' }
  const format = {
    kind: 'fields',
    separator: ',',
    signature: 'v1',
    timestamp: 't',
    sets: ' ',
  } as const
  const timestamp = { at: 'signature', unit: 'seconds', toleranceSeconds: null } as const
  const found = await hashings({ signature: { at, format }, timestamp }, { S: sets })
  expect(found).toEqual({ outcome: 'rejected', times: 5 })
})
