/** What is due before it would be looked for is told of. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { DUE_SOON_MS } from '@posthorn/contracts/topics'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { createRig, type Rig } from '../dispatcher.fixture.ts'

let rig: Rig
let receiver: Receiver
let told: number
beforeEach(async () => {
  rig = await createRig()
  receiver = await startReceiver()
  told = 0
  await rig.bus.subscribe({
    group: 'retry-scheduler',
    topics: ['due.soon'],
    maxInFlight: 10,
    onMessages: (_topic, messages) => {
      told += messages.length
      for (const { done } of messages) done()
    },
  })
})
afterEach(async () => {
  await receiver.close()
  await rig.close()
})

async function failOnce(retryBackoffMs: number): Promise<void> {
  const endpointId = await rig.addEndpoint({ url: receiver.url, retryBackoffMs })
  const { deliveryId } = await rig.deliver({ endpointId })
  await eventually(async () => expect((await rig.states())[deliveryId]).toBe('waiting'))
}

test('an attempt that is repeated soon, and not one that is repeated later', async () => {
  receiver.answer({ status: 500 })
  await rig.start()
  await failOnce(2 * DUE_SOON_MS)
  expect(told).toBe(0)
  await failOnce(100)
  await eventually(() => expect(told).toBe(1))
})

test('what a dispatcher that leaves lets go of', async () => {
  receiver.answer({ delayMs: 60_000 })
  const dispatcher = await rig.start()
  const endpointId = await rig.addEndpoint({ url: receiver.url, rateLimitPerSec: 1 })
  for (let n = 0; n < 4; n += 1) await rig.deliver({ endpointId })
  await eventually(() => expect(receiver.requests.length).toBeGreaterThan(0))
  await dispatcher.stop(100)
  await eventually(() => expect(told).toBeGreaterThan(0))
})
