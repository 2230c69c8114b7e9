/**
 * What becomes of a platform's genuine request: the type and the id of its event, and the answers
 * that the platform demands to it, to its handshakes and to a request without a password.
 */
import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { acceptedAnswer, refusalHeaders } from './answers.ts'
import { deliveryIdOf, eventTypeOf } from './incoming-event.ts'
import { payloadOf } from './payload.fixture.ts'
import { SOURCE_REF } from './platform-verifier.fixture.ts'
import {
  credentialsOf,
  named,
  PRESETS,
  presetOf,
  requestOf,
  sign,
  verifierOf,
} from './signed-requests.fixture.ts'
import { SIGNERS } from './signers/all.fixture.ts'
import { type Handshake, NEVER, type Signer } from './signers/signer.fixture.ts'

test.each(named)(
  '%s: its event has the type and the id that its documents name',
  async (_, signer) => {
    const preset = presetOf(signer)
    const request = requestOf(sign(signer))
    const payload = await payloadOf(request, preset)
    const id = deliveryIdOf(preset, request, payload)
    const hash = createHash('sha256').update(request.body).digest('hex')
    if (signer.deliveryId === NEVER) {
      expect(deliveryIdOf(preset, request, payload)).not.toBe(id)
    }
    expect({
      type: eventTypeOf(preset, null, request, payload),
      id: signer.deliveryId === NEVER ? NEVER : id,
    }).toEqual({
      type: signer.eventType ?? `${signer.source}.event`,
      id: signer.deliveryId ?? hash,
    })
  },
)

const asking = named.flatMap(([, signer]) =>
  (signer.handshakes ?? []).map((one): [string, Handshake, Signer] => [
    `${signer.source}: ${one.of}`,
    one,
    signer,
  ]),
)

test.each(asking)('%s is answered as it demands, and is no event', async (_, handshake, signer) => {
  const preset = presetOf(signer)
  const verifier = verifierOf(signer)
  const { request: asked, answer } = handshake
  const credentials = handshake.config ?? credentialsOf(signer)
  const secret = Object.values(credentials)[0] ?? ''
  let sent = asked
  if (handshake.signed) {
    const body = asked.body === '' ? signer.body : asked.body
    const signed = sign(signer, { body, ...(handshake.config ? { secret: String(secret) } : {}) })
    sent = { ...signed, headers: { ...signed.headers, ...asked.headers } }
  }
  const request = requestOf(sent)
  if (handshake.signed) {
    expect(verifier.handshake(preset, request, credentials)).toBeNull()
    expect(await verifier.verify(preset, request, credentials, SOURCE_REF)).toMatchObject({
      outcome: 'verified',
    })
  }
  const found = handshake.signed
    ? verifier.signedHandshake(preset, request, credentials)
    : verifier.handshake(preset, request, credentials)
  expect(found?.status).toBe(answer.status)
  if (answer.body !== undefined) expect(sameJson(found?.body)).toEqual(sameJson(answer.body))
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    const header = Object.entries(found?.headers ?? {}).find(
      ([one]) => one.toLowerCase() === name.toLowerCase(),
    )
    expect(header?.[1]).toMatch(value)
  }
  if (answer.confirm !== undefined) expect(found?.confirm?.href).toBe(answer.confirm)
  if (answer.learned !== undefined) expect(found?.learned).toEqual(answer.learned)
})

/** What some platforms must be answered about an event, where 202 with its id is not enough. */
const ANSWERS: Readonly<Record<string, { body?: RegExp; headers?: Record<string, string> }>> = {
  'adobe-commerce': { body: /"op": ?"success"/ },
  'adobe-sign': { headers: { 'X-AdobeSign-ClientId': 'client' } },
  hellosign: { body: /Hello API Event Received/ },
  'microsoft-teams': { body: /"type": ?"message"/ },
  xero: { body: /^$/ },
}

test.each(Object.entries(ANSWERS))(
  '%s: hears about its event what it demands',
  (source, answer) => {
    const headers = { 'X-AdobeSign-ClientId': 'client' }
    const found = acceptedAnswer(PRESETS.get(source)!, requestOf({ headers, body: '{}' }))
    expect(String(found.status)).toMatch(/^20[0-4]$/)
    if (answer.body) expect(found.body).toMatch(answer.body)
    expect(found.headers).toMatchObject(answer.headers ?? {})
  },
)

const ONLY_200 = `agora daily-co dbt-cloud docusign figma hcp-terraform-run-task hellosign intercom jumio line
  mollie-classic moralis quickbooks sparkpost split viber wix xero`

test.each(ONLY_200.split(/\s+/))('%s: takes nothing but 200 for an answer', (source) => {
  expect(acceptedAnswer(PRESETS.get(source)!, requestOf({ headers: {}, body: '{}' })).status).toBe(
    200,
  )
})

test('platforms that send a password only when they are asked for it are asked', () => {
  const silent = SIGNERS.filter(({ config, secrets }) => 'password' in config(secrets[0]))
  expect(silent.length).toBeGreaterThan(11)
  for (const signer of silent) {
    expect(refusalHeaders(presetOf(signer))).toEqual({
      'www-authenticate': expect.stringMatching(/^Basic /),
    })
  }
})

/** A text as JSON, however it is written. */
function sameJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return text
  }
}
