/**
 * What happens to an endpoint in its life, from the outside, in both modes: pauses, versions, a new
 * secret, a replay, being disabled.
 */
import { describe, expect, jest, test } from '@jest/globals'
import { serviceSignature, standardSignature } from '@posthorn/domain/signature'
import { eventually } from '@posthorn/testing/eventually'
import {
  add,
  becomes,
  explain,
  get,
  IN_FORCE_MS,
  post,
  posthorn,
  upTo,
  useEndpoints,
  WAIT,
  waitsFor,
} from './endpoint-driver.ts'
import { MODES } from './posthorn.ts'

/** A test that waits for as long as it may and then fails still has the time to say why. */
jest.setTimeout(120_000)

describe.each(MODES)('the life of an endpoint (%s)', (mode) => {
  useEndpoints(mode)

  test.each([false, true])(
    'paused, events wait; resumed, they go in order (FIFO: %s)',
    async (fifo) => {
      const shop = await add(`pausing-${fifo}`, { fifo })
      await becomes(await shop.send({ n: -1 }), 'delivered')
      expect((await post(`/endpoints/${shop.id}/pause`)).body).toMatchObject({ status: 'paused' })
      const pausedAt = Date.now()
      await eventually(() => Date.now() > pausedAt + IN_FORCE_MS, WAIT)
      const ids: string[] = []
      for (const n of upTo(10)) ids.push(await shop.send({ n }))
      for (const id of fifo ? ids.slice(0, 1) : ids) await waitsFor(id, 'paused')
      for (const id of ids) {
        expect(await posthorn.event(id)).toMatchObject({ status: 'queued', attempts: 0 })
      }
      expect(shop.requests()).toHaveLength(1)
      const resumed = await post(`/endpoints/${shop.id}/resume`)
      expect(resumed.body).toMatchObject({ status: 'active' })
      for (const id of ids) expect(await becomes(id, 'delivered')).toMatchObject({ attempts: 1 })
      expect(shop.came('n')).toEqual([-1, ...upTo(10)])
    },
  )

  test('created paused, an endpoint gets nothing until it is resumed', async () => {
    const shop = await add('waiting', { status: 'paused' })
    expect(shop.created).toMatchObject({ status: 'paused' })
    const id = await shop.send({ n: 1 })
    await waitsFor(id, 'paused')
    expect(shop.requests()).toHaveLength(0)
    await post(`/endpoints/${shop.id}/resume`)
    expect(await becomes(id, 'delivered')).toMatchObject({ attempts: 1 })
  })

  test('versions are kept, compared and gone back to', async () => {
    const shop = await add('versions', { customHeaders: { 'X-Version': 'one' } })
    await shop.patch({ customHeaders: { 'X-Version': 'two' }, timeoutMs: 5_000 })
    await shop.patch({ description: 'the third' })
    const path = `/endpoints/${shop.id}/versions`
    const changesOf = ({ version, changes }: { version: number; changes: string[] }) => {
      return [version, changes.toSorted()]
    }
    const before = (await get(path)).data
    expect(before.map(changesOf).slice(0, 2)).toEqual([
      [3, ['description']],
      [2, ['customHeaders', 'timeoutMs']],
    ])
    const diff = await get(`${path}/diff?v1=1&v2=2`)
    expect(diff).toEqual({ v1: 1, v2: 2, changes: expect.any(Array) })
    expect(diff.changes).toHaveLength(2)
    expect(diff.changes).toEqual(
      expect.arrayContaining([
        { field: 'timeoutMs', from: 30_000, to: 5_000 },
        {
          field: 'customHeaders',
          from: { 'X-Version': 'one' },
          to: { 'X-Version': 'two' },
        },
      ]),
    )
    const back = await post(`${path}/1/rollback`)
    expect(back).toMatchObject({ status: 200, body: { version: 4, description: null } })
    expect((await get(`${path}/4`)).config).toEqual((await get(`${path}/1`)).config)
    await becomes(await shop.send(), 'delivered')
    expect(shop.requests()[0]?.headers['x-version']).toBe('one')
  })

  test('a rotated secret signs with the former one while the grace lasts', async () => {
    const former = 'whsec_dGhlIGZvcm1lciBzZWNyZXQgb2YgaXQ='
    const shop = await add('rotating', { signingSecret: former })
    expect(shop.created).toMatchObject({
      signingSecret: former,
      signingSecretHint: 'aXQ=',
    })
    const rotate = async (gracePeriodMinutes: number) => {
      const answer = await post(`/endpoints/${shop.id}/rotate-secret`, { gracePeriodMinutes })
      expect(answer.status).toBe(200)
      return answer.body
    }
    const signaturesBy = async (...secrets: string[]) => {
      await eventually(async () => {
        const id = await shop.send({ a: 'ü' })
        await becomes(id, 'delivered')
        const { headers = {}, rawBody } = shop.requests().at(-1) ?? {}
        const at = Number(headers['webhook-timestamp'])
        const signed = secrets.map((secret) => standardSignature(secret, id, at, String(rawBody)))
        expect(headers['webhook-signature']).toBe(signed.join(' '))
        const own = serviceSignature(secrets[0] ?? '', at, String(rawBody))
        expect(headers['x-service-signature']).toBe(own)
      }, WAIT)
    }
    await signaturesBy(former)
    const rotated = await rotate(5)
    const minutes = (Date.parse(rotated.previousValidUntil) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(4)
    expect(minutes).toBeLessThan(5.1)
    await signaturesBy(rotated.signingSecret, former)
    expect((await shop.read()).signingSecretHint).toBe(rotated.signingSecret.slice(-4))
    await signaturesBy((await rotate(0)).signingSecret)
  })

  test('a bulk replay queues again what is dead, and tells how far it is', async () => {
    const since = new Date(Date.now() - 60_000).toISOString()
    const shop = await add('replayed', { maxRetries: 1, circuitThreshold: 0 })
    await becomes(await shop.send({ n: -1 }), 'delivered')
    shop.answer(() => ({ status: 500 }))
    const ids = await Promise.all(upTo(40).map((n) => shop.send({ n })))
    for (const id of ids) await becomes(id, 'dead')
    shop.answer(() => ({ status: 200 }))
    const begun = await post(`/endpoints/${shop.id}/replay`, { since, status: ['dead'] })
    expect(begun).toMatchObject({ status: 202, body: { total: 40, endpointId: shop.id } })
    const seen: number[] = [begun.body.done]
    const ended = await eventually(async () => {
      const replay = await get(`/replays/${begun.body.id}`)
      seen.push(replay.done)
      expect(replay.status).toBe('done')
      return replay
    }, WAIT)
    expect(ended).toMatchObject({ total: 40, done: 40, endedAt: expect.any(String) })
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    for (const id of ids) expect(await becomes(id, 'delivered')).toMatchObject({ attempts: 1 })
    expect(shop.requests()).toHaveLength(1 + 40 + 40)
  })

  test('who asks for service.* is told of an endpoint that is disabled; who asks for * is not', async () => {
    const told = await add('told', { eventTypes: ['service.*'] })
    const everything = await add('everything', { eventTypes: ['*'] })
    const shop = await add('leaving')
    shop.answer(() => ({ status: 410 }))
    await becomes(await shop.send({ n: 1 }), 'dead')
    const event = await eventually(() => {
      const of = ({ headers }: { headers: object }) =>
        Object.entries(headers).some(([, value]) => value === 'service.endpoint.disabled')
      const found = told.requests().find(of)
      expect(found).toBeDefined()
      return found
    }, WAIT)
    expect(JSON.parse(String(event?.rawBody))).toMatchObject({
      endpointId: shop.id,
      status: 'disabled',
      reason: 'answered 410 Gone',
    })
    const { endpoints } = await explain(String(event?.headers['x-service-event-id']))
    const why = endpoints.find((one: { endpointId: string }) => one.endpointId === everything.id)
    expect(why).toMatchObject({ matched: false, reason: 'type' })
    await eventually(() => expect(everything.came('n')).toContain(1), WAIT)
    for (const { headers } of everything.requests()) {
      expect(headers['x-service-event-type']).not.toMatch(/^service\./)
    }
    for (const { id } of [told, everything]) {
      await posthorn.call('DELETE', `/api/v1/endpoints/${id}`)
    }
  })
})
