/**
 * The platforms' own libraries: they accept what our signers sign, as we do, and refuse what is
 * changed, as we do; what they sign themselves, where they can, is accepted here.
 */
import { expect, test } from '@jest/globals'
import { presetOf, SOURCE_REF } from './platform-verifier.fixture.ts'
import type { InboundRequest } from './request.ts'
import { SIGNERS } from './signers/all.fixture.ts'
import type { Sdk } from './signers/library-verifier.fixture.ts'
import { SDKS } from './signers/sdks.fixture.ts'
import { SOURCE_URL, type SignedRequest, type Signer } from './signers/signer.fixture.ts'
import { createVerifier } from './verifier.ts'

const named = SDKS.map((sdk): [string, Sdk] => [
  sdk.variant === undefined ? sdk.name : `${sdk.name} (${sdk.variant})`,
  sdk,
])
const signing = named.filter(([, { signs }]) => signs !== undefined)

function signerOf({ source, variant }: Sdk): Signer {
  return SIGNERS.find((one) => one.source === source && one.variant === variant)!
}

async function weAccept(
  signer: Signer,
  sent: SignedRequest,
  secret: string,
  now: number,
): Promise<boolean> {
  const verifier = createVerifier({
    now: () => now,
    fetchText: (url) => Promise.reject(new Error(`nothing is published at ${url.href}`)),
  })
  const request: InboundRequest = {
    method: 'POST',
    url: new URL(sent.url ?? SOURCE_URL),
    headers: new Map(
      Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), [String(value)]]),
    ),
    body: Buffer.from(sent.body),
    receivedAt: now,
  }
  const result = await verifier.verify(
    await presetOf(signer.source),
    request,
    signer.config(secret),
    SOURCE_REF,
  )
  return result.outcome === 'verified'
}

/** Refusing is an answer or an error. */
async function theyAccept(sdk: Sdk, sent: SignedRequest, secret: string): Promise<boolean> {
  try {
    return Boolean(await sdk.accepts(sent, secret))
  } catch {
    return false
  }
}

async function expectBoth(
  expected: boolean,
  sdk: Sdk,
  { sent, secret, now }: { sent: SignedRequest; secret: string; now: number },
) {
  const signer = signerOf(sdk)
  expect({
    they: expected ? Boolean(await sdk.accepts(sent, secret)) : await theyAccept(sdk, sent, secret),
    we: await weAccept(signer, sent, secret, now),
  }).toEqual({ they: expected, we: expected })
}

/** Changes a character in the part that the signature covers. */
function changed(body: string, covers: boolean | string): string {
  const part = typeof covers === 'string' ? body.indexOf(covers) : Math.floor(body.length / 2)
  const letter = body[part] === 'a' ? 'b' : 'a'
  return body.slice(0, part) + letter + body.slice(part + 1)
}

test('fifteen and more of the platforms’ own libraries are asked', () => {
  expect(new Set(SDKS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(15)
})

test.each(named)(
  '%s: what our signer signs both accept, what is changed both refuse',
  async (_, sdk) => {
    const signer = signerOf(sdk)
    const [secret, other] = signer.secrets
    const now = Date.now()
    const sign = (touch: (text: string) => string) =>
      signer.sign({ body: signer.body, now, shown: now, secret, touch })
    const sent = sign((text) => text)
    await expectBoth(true, sdk, { sent, secret, now })
    await expectBoth(false, sdk, { sent, secret: other, now })
    await expectBoth(false, sdk, {
      sent: { ...sent, body: changed(sent.body, signer.covers.body) },
      secret,
      now,
    })
    const forged = sign((text) => (text[0] === 'a' ? 'b' : 'a') + text.slice(1))
    await expectBoth(false, sdk, { sent: forged, secret, now })
  },
)

test.each(signing)('%s: what it signs both accept, what is changed both refuse', async (_, sdk) => {
  const signer = signerOf(sdk)
  const [secret, other] = signer.secrets
  const now = Date.now()
  const sent = (await sdk.signs?.(signer.body, secret, now)) as SignedRequest
  await expectBoth(true, sdk, { sent, secret, now })
  await expectBoth(false, sdk, { sent, secret: other, now })
  if (signer.covers.body === true) {
    await expectBoth(false, sdk, { sent: { ...sent, body: changed(sent.body, true) }, secret, now })
  }
})
