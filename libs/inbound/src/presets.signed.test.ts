/**
 * Every platform, signed by independent code: the signers know the platforms' documents and
 * node:crypto, and nothing of the presets. What they sign is accepted; with any part of it changed
 * it is refused, and a reason is given.
 */
import { expect, test } from '@jest/globals'
import { EXPECTED_MODES } from './expected-modes.fixture.ts'
import type { Credentials } from './request.ts'
import {
  checked,
  credentialsOf,
  named,
  NOW,
  PRESETS,
  sign,
  verify,
} from './signed-requests.fixture.ts'
import { SIGNERS } from './signers/all.fixture.ts'
import { SOURCE_URL, type SignedRequest, type Signer } from './signers/signer.fixture.ts'

async function expectRefused(
  signer: Signer,
  what: string,
  sent: SignedRequest,
  credentials?: Credentials,
) {
  const result = await verify(signer, sent, credentials)
  const reason = result.outcome === 'rejected' ? result.reason : undefined
  expect({ what, outcome: result.outcome, reason, steps: result.steps }).toEqual({
    what,
    outcome: 'rejected',
    reason: expect.any(String),
    steps: expect.arrayContaining([expect.objectContaining({ ok: false })]),
  })
}

/** Another character of the same kind, so that a signature stays well-formed. */
function other(letter: string): string {
  if (/[0-9]/.test(letter)) return letter === '1' ? '2' : '1'
  if (/[a-z]/.test(letter)) return letter === 'a' ? 'b' : 'a'
  return letter === 'A' ? 'B' : 'A'
}

function changedAt(text: string, index: number): string {
  return text.slice(0, index) + other(text[index] as string) + text.slice(index + 1)
}

function firstAndMiddle(text: string): number[] {
  return [0, Math.floor(text.length / 2)]
}

/** The places where a byte of the body is changed: in the part that the signature covers. */
function bodyPlaces({ covers }: Signer, body: string): number[] {
  if (covers.body === false || body.length === 0) return []
  // In a token that is the whole body the last character has bits without meaning.
  const isToken = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(body)
  if (covers.body === true) return [...firstAndMiddle(body), body.length - (isToken ? 4 : 1)]
  const at = body.indexOf(covers.body)
  if (at < 0) throw new Error(`${covers.body} is not in the body`)
  return [at, at + covers.body.length - 1]
}

test('every platform has a preset and a signer, and nothing else has one', () => {
  const expected = Object.keys(EXPECTED_MODES).sort()
  expect([...PRESETS.keys()].sort()).toEqual(expected)
  expect([...new Set(SIGNERS.map(({ source }) => source))].sort()).toEqual(expected)
  expect(new Set(named.map(([name]) => name)).size).toBe(named.length)
  // Only this platform sends nothing at all that could be checked.
  expect(named.filter(([, { unchecked }]) => unchecked).map(([name]) => name)).toEqual([
    'mollie-classic',
  ])
})

test.each(named)('%s: signed as its documents say, it is accepted', async (_, signer) => {
  expect(await verify(signer, sign(signer))).toMatchObject({ outcome: 'verified' })
})

/**
 * Bodies that are too large to be parsed in one go. Twilio's signer of JSON writes the hash of its
 * own body into the URL.
 */
const enlarged = checked.filter(
  ([, { source, body }]) => body.startsWith('{"') && source !== 'twilio',
)
test.each(enlarged)('%s: a large body is accepted as a small one is', async (_, signer) => {
  const body = `{"pad":"${'x'.repeat(100_000)}",${signer.body.slice(1)}`
  expect(await verify(signer, sign(signer, { body }))).toMatchObject({ outcome: 'verified' })
})

test.each(checked)('%s: with a byte of body or URL changed it is refused', async (_, signer) => {
  const sent = sign(signer)
  for (const at of bodyPlaces(signer, sent.body)) {
    await expectRefused(signer, `byte ${at}`, { ...sent, body: changedAt(sent.body, at) })
  }
  if (signer.covers.body === true) {
    await expectRefused(signer, 'one more byte', { ...sent, body: `${sent.body} x` })
  }
  if (signer.covers.url) {
    const url = new URL(sent.url ?? SOURCE_URL)
    const { url: part } = signer.covers
    const names = Array.isArray(part) ? part : [...url.searchParams.keys()]
    const changed = names.map((name) => {
      const copy = new URL(url)
      copy.searchParams.set(name, `${copy.searchParams.get(name)}1`)
      return copy.href
    })
    const elsewhere = part === true ? [`${url.origin}${url.pathname}x${url.search}`] : []
    for (const one of [...changed, ...elsewhere])
      await expectRefused(signer, one, { ...sent, url: one })
  }
})

test.each(checked)('%s: with a byte of the signature changed it is refused', async (_, signer) => {
  const whole = sign(signer)
  for (const part of [0, 1] as const) {
    const touch = (signature: string) =>
      changedAt(signature, firstAndMiddle(signature)[part] as number)
    const sent = sign(signer, { touch })
    expect(sent).not.toEqual(whole)
    await expectRefused(signer, `byte ${part}`, sent)
  }
  await expectRefused(
    signer,
    'half of it',
    sign(signer, { touch: (text) => text.slice(0, text.length / 2) }),
  )
  await expectRefused(signer, 'a space', sign(signer, { touch: () => ' ' }))
})

test.each(checked)('%s: without a signature it is refused as such', async (_, signer) => {
  const { headers, ...sent } = sign(signer, {
    touch: signer.carriedIn.length > 0 ? (text) => text : () => '',
  })
  const rest = Object.entries(headers).filter(([name]) => !signer.carriedIn.includes(name))
  const result = await verify(signer, { ...sent, headers: Object.fromEntries(rest) })
  const reasons =
    signer.carriedIn.length > 0
      ? /^no_signature$/
      : /^((no|malformed|wrong)_(signature|credentials)|unknown_key)$/
  expect(result).toMatchObject({ outcome: 'rejected', reason: expect.stringMatching(reasons) })
})

test.each(checked)(
  '%s: with a changed secret it is refused, with two of them accepted',
  async (_, signer) => {
    const [first, second] = signer.secrets
    if (signer.published !== undefined) {
      expect(await verify(signer, sign(signer, { secret: second }))).toMatchObject({
        outcome: signer.variant === 'by the published key' ? 'rejected' : 'verified',
      })
      await expectRefused(
        signer,
        'nobody’s key',
        sign(signer, { secret: `${first.split(':')[0]}:3` }),
      )
      return
    }
    const [one, two] = [signer.config(first), signer.config(second)]
    const secretNames = Object.keys(one).filter((name) => one[name] !== two[name])
    expect(secretNames).toHaveLength(1)
    const [name] = secretNames as [string]
    const isKey = /^(rsa|ec|ed25519):/.test(first)
    const changed = isKey
      ? (two[name] as string)
      : changedAt(one[name] as string, Math.floor((one[name] as string).length / 2))
    await expectRefused(signer, 'another secret', sign(signer), { ...one, [name]: changed })
    if (!signer.optional)
      await expectRefused(
        signer,
        'no secret',
        sign(signer),
        Object.fromEntries(Object.entries(one).filter(([key]) => key !== name)),
      )
    for (const both of [
      [one[name], two[name]],
      [two[name], one[name]],
    ] as string[][]) {
      for (const secret of signer.secrets) {
        expect(
          await verify(signer, sign(signer, { secret }), { ...one, [name]: both }),
        ).toMatchObject({ outcome: 'verified' })
      }
    }
  },
)

test('without configuration only what a key of the platform’s own proves is accepted', async () => {
  const accepted = new Set<string>()
  for (const [, signer] of checked) {
    const { outcome } = await verify(signer, sign(signer), {})
    if (outcome === 'verified') accepted.add(signer.source)
  }
  // An endpoint of the first four is refused at its creation when it lacks a required key; the last
  // three require none.
  const published = ['canva', 'circle', 'ebay', 'plaid', 'fireblocks', 'shipstation', 'travis-ci']
  expect([...accepted].sort()).toEqual(published.sort())
})

test.each(checked.filter(([, { pinned }]) => pinned))(
  '%s: what it is pinned to must fit',
  async (_, signer) => {
    for (const [name, value] of Object.entries(signer.pinned ?? {})) {
      await expectRefused(signer, name, sign(signer), {
        ...credentialsOf(signer),
        [name]: `${value}x`,
      })
    }
  },
)

const timed = checked.filter(([, { toleranceSeconds }]) => toleranceSeconds !== undefined)
test.each(timed)('%s: its time can neither be changed nor be old', async (_, signer) => {
  if (signer.covers.timestamp) {
    for (const shown of [NOW + 1_000, NOW - 1_000]) {
      await expectRefused(signer, 'another time', sign(signer, { shown }))
    }
  }
  const limit = signer.toleranceSeconds ?? null
  const at = async (secondsAgo: number) =>
    await verify(signer, sign(signer, { now: NOW - secondsAgo * 1_000 }))
  if (limit === null) {
    expect(await at(7 * 24 * 3_600)).toMatchObject({ outcome: 'verified' })
    return
  }
  expect(await at(limit - 2)).toMatchObject({ outcome: 'verified' })
  expect(await at(limit + 2)).toMatchObject({ outcome: 'rejected', reason: 'too_old' })
  expect(await at(-3_600)).toMatchObject({ outcome: 'rejected', reason: 'too_old' })
})
