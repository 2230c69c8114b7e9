/**
 * Poll mode from the outside, in both modes: waiting, waking, acknowledging, running out of
 * attempts, changing the mode.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { type Answer, MODES } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

describe.each(MODES)('poll mode (%s)', (mode) => {
  let posthorn: SharedProduct
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await startReceiver()
    posthorn = await joinProduct(mode)
  }, 150_000)

  afterAll(async () => {
    await posthorn.leave()
    await receiver.close()
  }, 60_000)

  async function createEndpoint(eventType: string, more: object = {}): Promise<string> {
    const body = { url: 'poll://shop', eventTypes: [eventType], deliveryMode: 'poll', ...more }
    const created = await posthorn.call('POST', '/api/v1/endpoints', body)
    expect(created.status).toBe(201)
    return created.body.id
  }

  async function poll(endpointId: string, query = ''): Promise<Answer> {
    const answer = await posthorn.call('GET', `/api/v1/poll?endpoint_id=${endpointId}${query}`)
    expect(answer.status).toBe(200)
    return answer
  }

  async function ack(endpointId: string, ...ids: string[]): Promise<Answer> {
    const body = { endpoint_id: endpointId, event_ids: ids }
    return await posthorn.call('POST', '/api/v1/poll/ack', body)
  }

  const idsOf = (answer: Answer): string[] => answer.body.events.map(({ id }: { id: string }) => id)
  const status = async (id: string) => (await posthorn.event(id)).status

  test('a poll that waits wakes within 100 ms of an event, and what it acknowledges is delivered', async () => {
    const endpointId = await createEndpoint('wake')
    await createEndpoint('pace', { deliveryMode: 'push', url: `${receiver.url}/pace` })
    const late: number[] = []
    const pushed: number[] = []
    for (let n = 0; n < 20; n += 1) {
      const waiting = poll(endpointId, '&timeout=60').then((answer) => ({
        answer,
        at: Date.now(),
      }))
      await eventually(async () => expect(await waitingPolls()).toBeGreaterThanOrEqual(1))
      const { id } = await posthorn.send({ eventType: 'wake', payload: { n } })
      const sentAt = Date.now()
      const { answer, at } = await waiting
      late.push(at - sentAt)
      expect(idsOf(answer)).toEqual([id])
      expect(await status(id)).toBe('delivering')
      expect((await ack(endpointId, id)).body).toEqual({ acknowledged: [id], notFound: [] })
      expect(await posthorn.event(id)).toMatchObject({ status: 'delivered', attempts: 1 })

      // What is pushed goes the same way for the most part: it tells the machine's own pace.
      await posthorn.send({ eventType: 'pace', payload: { n } })
      const pacedAt = Date.now()
      const request = (await receiver.waitFor(n + 1))[n]
      pushed.push(Math.max(0, (request?.at ?? 0) - pacedAt))
    }
    const median = (all: number[]): number => all.sort((a, b) => a - b)[all.length / 2] as number
    expect(median(late)).toBeLessThan(100 + 2 * median(pushed))
  }, 60_000)

  /** The polls that wait at all instances, those of other test files included. */
  async function waitingPolls(): Promise<number> {
    const text = (await posthorn.call('GET', '/metrics')).text
    return Number(/^posthorn_polls_waiting\{[^}]*\} (\d+)$/m.exec(text)?.[1])
  }

  test('what is not acknowledged comes again as often as it may, is dead, and comes again when replayed', async () => {
    const endpointId = await createEndpoint('lost', { maxRetries: 2 })
    const { id } = await posthorn.send({ eventType: 'lost', payload: {} })
    for (const attempts of [1, 2]) {
      expect(idsOf(await poll(endpointId, '&timeout=30'))).toEqual([id])
      expect(await posthorn.event(id)).toMatchObject({ status: 'delivering', attempts })
    }
    await eventually(async () => expect(await status(id)).toBe('dead'))
    expect((await posthorn.event(id)).deadReason).toBe('not acknowledged')
    expect((await ack(endpointId, id)).body).toEqual({ acknowledged: [], notFound: [id] })
    const waiting = poll(endpointId, '&timeout=30')
    expect((await posthorn.call('POST', `/api/v1/events/${id}/replay`)).status).toBe(200)
    expect(idsOf(await waiting)).toEqual([id])
    expect((await ack(endpointId, id)).body.acknowledged).toEqual([id])
    expect(await posthorn.event(id)).toMatchObject({ status: 'delivered', attempts: 1 })
  }, 60_000)

  test('what waits follows the endpoint from push to poll and back', async () => {
    receiver.answer({ status: 500 })
    const push = { deliveryMode: 'push', url: `${receiver.url}/hook` }
    const backOff = { retryBackoffMs: 3_600_000 }
    const endpointId = await createEndpoint('moves', { ...push, ...backOff })
    const { id: failed } = await posthorn.send({ eventType: 'moves', payload: {} })
    await eventually(async () => expect(await status(failed)).toBe('failed'))
    const patch = (body: object) => posthorn.call('PATCH', `/api/v1/endpoints/${endpointId}`, body)
    const toPoll = await patch({ deliveryMode: 'poll', url: 'poll://moves' })
    expect(toPoll.status).toBe(200)
    expect(idsOf(await poll(endpointId, '&timeout=30'))).toEqual([failed])
    const { id: visible } = await posthorn.send({ eventType: 'moves', payload: {} })
    receiver.answer({ status: 200 })
    expect((await patch(push)).status).toBe(200)
    for (const id of [visible, failed]) {
      await eventually(async () => expect(await status(id)).toBe('delivered'), {
        timeoutMs: 30_000,
      })
    }
  }, 90_000)

  test('a deleted endpoint takes what is visible and what is fetched with it', async () => {
    const endpointId = await createEndpoint('leaves')
    const { id: fetched } = await posthorn.send({ eventType: 'leaves', payload: {} })
    await poll(endpointId, '&timeout=30')
    const witness = await createEndpoint('leaves')
    const { id: visible } = await posthorn.send({ eventType: 'leaves', payload: {} })
    // Both endpoints get it at once: what one has, the other has.
    const seen = await poll(witness, '&timeout=30')
    expect((await ack(witness, ...idsOf(seen))).body.acknowledged).toEqual([visible])
    await posthorn.call('DELETE', `/api/v1/endpoints/${endpointId}`)
    for (const id of [fetched, visible]) {
      await eventually(
        async () =>
          expect(await posthorn.event(id)).toMatchObject({
            status: 'dead',
            deadReason: 'endpoint deleted',
          }),
        { timeoutMs: 30_000 },
      )
    }
  }, 60_000)
})
