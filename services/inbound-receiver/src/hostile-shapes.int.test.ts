/**
 * Bodies of a megabyte that cost a careless parser most, sent to an endpoint of every platform by a
 * stranger, and by somebody who knows the secret: none of them blocks the event loop for long,
 * before it is verified or after.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { HOSTILE_SHAPES, type HostileShape } from '@posthorn/inbound/hostile-shapes.fixture'
import { loadPresets } from '@posthorn/inbound/presets'
import { SIGNERS } from '@posthorn/inbound/signers/all.fixture'
import { eventually } from '@posthorn/testing/eventually'
import { shortestOfLongestTurnsMs } from '@posthorn/testing/longest-turn'
import { isLongForm } from '@posthorn/testing/long-form'
import {
  hex,
  SECRET,
  type TestRequest,
  startTestInbound,
  type TestInbound,
} from './inbound.fixture.ts'

const PRESETS = await loadPresets()

const MAX_TURN_MS = 25
/** A garbage collection may fall into any turn, but it must not do so in each of these. */
const RUNS = 5
const MAX_BODY_BYTES = 1024 * 1024

let inbound: TestInbound
beforeAll(async () => {
  inbound = await startTestInbound(MAX_BODY_BYTES)
})
afterAll(async () => {
  await inbound.close()
  expect(inbound.failures).toEqual([])
})

async function turnOf(
  send: (sent: TestRequest) => Promise<unknown>,
  sent: TestRequest,
): Promise<number> {
  return await shortestOfLongestTurnsMs(
    RUNS,
    (ms) => ms <= MAX_TURN_MS,
    () => send(sent),
  )
}

/**
 * Signed as its platform does it, but for another body, so that everything is read before it is
 * refused.
 */
function forged(source: string): Pick<TestRequest, 'headers' | 'query'> {
  const signer = SIGNERS.find((one) => one.source === source)
  if (signer === undefined) return { headers: {} }
  const now = Date.now()
  const [secret] = signer.secrets
  const { body } = signer
  const { headers, url = '' } = signer.sign({ body, now, shown: now, secret, touch: (one) => one })
  const query = new URL(url, 'https://hooks.example.com').search
  const entries = Object.entries(headers).filter(([name]) => !/^content-/i.test(name))
  return { headers: Object.fromEntries(entries) as Record<string, string | string[]>, query }
}

test('bodies of a stranger do not block the event loop, at any platform', async () => {
  const slow: string[] = []
  for (const { source, configKeys } of PRESETS) {
    const config = Object.fromEntries(
      configKeys.map(({ name, values }) => [name, values?.[0] ?? `secret ${name}`]),
    )
    const endpoint = await inbound.addSource({ source, config })
    const request = forged(source)
    for (const shape of shapesFor(source)) {
      const { name, contentType, body } = shape
      const headers = { ...request.headers, 'Content-Type': contentType }
      const ms = await turnOf(endpoint.send, { ...request, headers, body })
      if (ms > MAX_TURN_MS) slow.push(`${source}: ${name} took ${ms.toFixed(0)} ms`)
    }
  }
  expect(slow).toEqual([])
}, 300_000)

/**
 * One shape of each kind at each platform, another one at the next; in the short form of one kind,
 * the next of another.
 */
function shapesFor(source: string): HostileShape[] {
  const at = PRESETS.findIndex((preset) => preset.source === source)
  const kinds = [...Map.groupBy(HOSTILE_SHAPES, ({ kind }) => kind).values()]
  const [round, kind] = [Math.floor(at / kinds.length), at % kinds.length]
  const shown = isLongForm ? kinds : kinds.slice(kind, kind + 1)
  return shown.map((shapes) => shapes[(isLongForm ? at : round) % shapes.length] as HostileShape)
}

test('bodies of somebody who knows the secret do not block the event loop', async () => {
  const sources = [
    await inbound.addSource({ source: 'github' }),
    await inbound.addSource({ source: 'github', eventTypeMapping: '$.*.*.type' }),
  ]
  const slow: string[] = []
  for (const { name, contentType, body } of HOSTILE_SHAPES) {
    const headers = {
      'Content-Type': contentType,
      'X-GitHub-Event': 'push',
      'X-Hub-Signature-256': `sha256=${hex(body, SECRET)}`,
    }
    for (const [at, source] of sources.entries()) {
      const ms = await turnOf(source.send, { headers, body })
      if (ms > MAX_TURN_MS) slow.push(`${name} at ${at} took ${ms.toFixed(0)} ms`)
    }
  }
  expect(slow).toEqual([])
}, 120_000)

test('a body that is nested deeper than 200 levels, or has too many fields, is refused with this reason', async () => {
  const source = await inbound.addSource({ source: 'github' })
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const send = async (body: string, contentType = 'application/json', secret = SECRET) => {
    const signature = `sha256=${hex(body, secret)}`
    const headers = { 'Content-Type': contentType, 'X-Hub-Signature-256': signature }
    return (await source.send({ headers, body })).status
  }
  const form = 'application/x-www-form-urlencoded'
  expect(await send(nested(200))).toBe(202)
  expect(await send(nested(201))).toBe(400)
  expect(await send(`[${nested(5_000)}]`)).toBe(400)
  expect(await send(`payload=${encodeURIComponent(nested(200))}`, form)).toBe(202)
  expect(await send(`payload=${encodeURIComponent(nested(201))}`, form)).toBe(400)
  expect(await send('a=1&'.repeat(999), form)).toBe(202)
  expect(await send('a=1&'.repeat(1_001), form)).toBe(400)
  // Prose with brackets is no JSON; and a stranger is told no more than with any refusal.
  expect(await send('['.repeat(500), 'text/plain')).toBe(202)
  expect(await send(nested(201), 'application/json', 'another')).toBe(401)
  const refused = await inbound.addSource({ source: 'aircall', config: { token: 't' } })
  expect((await refused.send({ body: nested(5_000) })).status).toBe(400)
  expect(inbound.counted).toMatchObject({
    too_deep: expect.any(Number),
    too_many_fields: expect.any(Number),
  })
  await eventually(async () => expect((await refused.row()).last_rejection_reason).toBe('too_deep'))
})

test('a body of nearly a megabyte goes through the script of its endpoint', async () => {
  const transformation =
    'function transform({ payload }) { return { payload: { ...payload, n: 1 } } }'
  const source = await inbound.addSource({ source: 'github', transformation })
  const text = 'x'.repeat(1_000_000)
  const body = JSON.stringify({ text })
  const headers = { 'X-GitHub-Event': 'push', 'X-Hub-Signature-256': `sha256=${hex(body, SECRET)}` }
  expect((await source.send({ headers, body })).status).toBe(202)
  const [event] = await source.events()
  expect(JSON.parse(event.payload)).toEqual({ text, n: 1 })
})
