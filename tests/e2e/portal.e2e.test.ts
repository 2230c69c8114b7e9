/**
 * A customer's way through the portal, over all services that it is made of: from the link to a
 * delivery that is retried, and to the end of the session. The link's token is in nothing that the
 * product says.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { MODES } from './posthorn.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

describe.each(MODES)('the portal (%s)', (mode) => {
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

  async function openLink() {
    const externalId = randomUUID()
    const made = await posthorn.call('POST', '/api/v1/sub-accounts', { externalId })
    const sessions = `/api/v1/sub-accounts/${made.body.id}/sessions`
    const returnURL = 'https://app.example.com/webhooks'
    const minted = await posthorn.call('POST', sessions, { returnURL })
    expect(minted.status).toBe(201)
    return { subAccountId: made.body.id as string, externalId, sessions, ...minted.body }
  }

  function withCookie(cookie: string) {
    return (method: string, path: string, body?: unknown) =>
      posthorn.call(method, `/sub-account-api${path}`, body, { 'X-API-Key': '', Cookie: cookie })
  }

  async function exchange(token: string) {
    const answer = await posthorn.call('POST', '/sub-account-api/auth/exchange', { token })
    return { ...answer, cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' }
  }

  test('opens once, works, and ends at once', async () => {
    receiver.answer(() => ({ status: 400 }))
    const link = await openLink()
    const page = await posthorn.call('GET', new URL(link.url).pathname, undefined)
    expect(page.status).toBe(200)
    const opened = await exchange(link.token)
    expect(opened).toMatchObject({ status: 200, body: { subAccountId: link.subAccountId } })
    expect((await exchange(link.token)).body.code).toBe('ALREADY_CONSUMED')

    const portal = withCookie(opened.cookie)
    const endpoint = await portal('POST', '/endpoints', {
      url: `${receiver.url}/customer`,
      eventTypes: ['order.*'],
      maxRetries: 1,
    })
    expect(endpoint.status).toBe(201)
    const event = { eventType: 'order.paid', payload: { orderId: 'o_1' } }
    const sent = await posthorn.call('POST', '/api/v1/events', event, {
      'X-Sub-Account-ID': link.externalId,
      'X-Idempotency-Key': randomUUID(),
    })
    expect(sent.status).toBe(201)
    const dead = await eventually(
      async () => {
        const { body } = await portal('GET', `/events?status=dead&endpointId=${endpoint.body.id}`)
        expect(body.data).toMatchObject([{ id: sent.body.id, lastStatusCode: 400 }])
        return `/events/${body.data[0].id}`
      },
      { timeoutMs: 30_000 },
    )
    expect((await portal('GET', `${dead}/deliveries`)).body.count).toBe(1)
    receiver.answer(() => ({ status: 200 }))
    expect((await portal('POST', `${dead}/retry`)).status).toBe(200)
    await eventually(
      async () => expect((await portal('GET', dead)).body.status).toBe('delivered'),
      { timeoutMs: 30_000 },
    )

    expect((await posthorn.call('DELETE', `${link.sessions}/${link.id}`)).status).toBe(204)
    // Neither of the services that the portal calls lets it in from here on.
    for (const path of ['/events', '/session', '/endpoints', '/events']) {
      const refused = await portal('GET', path)
      expect(refused).toMatchObject({ status: 401, body: { code: 'SESSION_EXPIRED' } })
    }
  }, 90_000)

  test('its token is in no line and no metric, however it is asked for', async () => {
    const link = await openLink()
    const path = new URL(link.url).pathname
    for (const method of ['GET', 'POST', 'DELETE']) await posthorn.call(method, path)
    await posthorn.call('GET', `${path}/more?x=${link.token}`)
    await posthorn.call('GET', `${path}%`)
    const opened = await exchange(link.token)
    expect(opened.status).toBe(200)
    const metrics = await posthorn.call('GET', '/metrics')
    const said = (await posthorn.output()) + metrics.text
    expect(said).toContain('http')
    const [, , signature = link.token] = link.token.split('.')
    for (const secret of [link.token, signature, opened.cookie.split('=')[1] ?? ''])
      expect(said.includes(secret)).toBe(false)
  }, 60_000)
})
