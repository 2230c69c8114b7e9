import { expect, test } from '@jest/globals'
import { presetOf, SOURCE_REF } from './platform-verifier.fixture.ts'
import type { InboundRequest } from './request.ts'
import { VECTOR_FILES } from './platforms.fixture.ts'
import type { Vector } from './signers/vector.fixture.ts'
import { createVerifier } from './verifier.ts'

const NOW = 1_700_000_000_000
const VECTORS: Vector[] = []
for (const load of VECTOR_FILES) VECTORS.push(...(await load()).vectors)
const verifier = createVerifier({
  fetchText: (url) => Promise.reject(new Error(`nobody publishes ${url.href}`)),
  now: () => NOW,
})

function requestOf({ method = 'POST', url = '', at = NOW, headers, body }: Vector): InboundRequest {
  return {
    method,
    url: new URL(url, 'https://hooks.example.com/inbound/abcdefgh'),
    headers: new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])),
    body: Buffer.from(body),
    receivedAt: at,
  }
}

test.each(
  VECTORS.filter(({ answer }) => answer === undefined).map(
    (one) => [one.source, one.from, one] as const,
  ),
)('%s verifies what is shown in %s, and nothing forged', async (source, _, vector) => {
  const preset = await presetOf(source)
  const result = await verifier.verify(preset, requestOf(vector), vector.credentials, SOURCE_REF)
  expect(result).toMatchObject({ outcome: 'verified' })
  // Where there is no secret to change, because the key is public, the body is changed.
  const { secret } = vector.credentials
  const forged =
    secret === undefined
      ? { ...vector, body: `${vector.body} ` }
      : { ...vector, credentials: { ...vector.credentials, secret: `A${secret}` } }
  const refused = await verifier.verify(preset, requestOf(forged), forged.credentials, SOURCE_REF)
  expect(refused).toMatchObject({ outcome: 'rejected' })
})

test.each(
  VECTORS.filter(({ answer }) => answer !== undefined).map(
    (one) => [one.source, one.from, one] as const,
  ),
)('%s answers what is shown in %s', async (source, _, vector) => {
  const answer = verifier.handshake(await presetOf(source), requestOf(vector), vector.credentials)
  expect(answer).toMatchObject({ status: 200, body: vector.answer })
})
