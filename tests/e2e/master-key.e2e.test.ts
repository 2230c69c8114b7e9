/** The master key is rotated: what the former key sealed is still used, and what is new is not. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { standardSignature } from '@posthorn/domain/signature'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { type Posthorn, startPosthorn } from './posthorn.ts'

const newKey = (): string => randomBytes(32).toString('base64')
const [FIRST, SECOND, THIRD] = [newKey(), newKey(), newKey()]
/** The product reads them at each start. */
const settings: Record<string, string> = { MASTER_KEY: FIRST }
let posthorn: Posthorn
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  posthorn = await startPosthorn('standalone', settings)
}, 150_000)

afterAll(async () => {
  await posthorn.stop()
  await receiver.close()
}, 60_000)

/** @returns the secret of a new endpoint */
async function add(type: string): Promise<string> {
  const signingSecret = `whsec_${randomBytes(24).toString('base64')}`
  const { status } = await posthorn.call('POST', '/api/v1/endpoints', {
    url: `${receiver.url}/${type}`,
    eventTypes: [type],
    signingSecret,
  })
  expect(status).toBe(201)
  return signingSecret
}

/** @returns whether an event of the type arrives, signed with the secret */
async function isSigned(type: string, secret: string): Promise<boolean> {
  const { id } = await posthorn.send({ eventType: type, payload: { type } })
  const arrived = ({ headers }: { headers: Record<string, unknown> }): boolean =>
    headers['x-service-event-id'] === id
  const requests = await receiver.waitFor((all) => all.some(arrived), { timeoutMs: 30_000 })
  const request = requests.find(arrived)
  const { 'webhook-id': messageId, 'webhook-timestamp': at } = request?.headers ?? {}
  const body = String(request?.rawBody)
  const expected = standardSignature(secret, String(messageId), Number(at), body)
  return String(request?.headers['webhook-signature'])
    .split(' ')
    .includes(expected ?? '')
}

async function startWith(keys: Record<string, string>): Promise<void> {
  await posthorn.kill()
  delete settings['MASTER_KEY_PREVIOUS']
  Object.assign(settings, keys)
  await posthorn.startAgain()
}

test('endpoints of before and after sign on, twice rotated; without a former key its secrets stay closed', async () => {
  const first = await add('first.one')
  expect(await isSigned('first.one', first)).toBe(true)

  await startWith({ MASTER_KEY: SECOND, MASTER_KEY_PREVIOUS: FIRST })
  const second = await add('second.one')
  expect(await isSigned('first.one', first)).toBe(true)
  expect(await isSigned('second.one', second)).toBe(true)

  await startWith({ MASTER_KEY: THIRD, MASTER_KEY_PREVIOUS: `${SECOND},${FIRST}` })
  expect(await isSigned('first.one', first)).toBe(true)
  expect(await isSigned('second.one', second)).toBe(true)

  await startWith({ MASTER_KEY: THIRD, MASTER_KEY_PREVIOUS: SECOND })
  expect(await isSigned('second.one', second)).toBe(true)
  const { id } = await posthorn.send({ eventType: 'first.one', payload: {} })
  await eventually(() => expect(posthorn.output()).toContain('secret.not-opened'))
  expect((await posthorn.event(id)).status).not.toBe('delivered')
})
