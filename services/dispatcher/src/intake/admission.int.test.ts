/**
 * Which of two dispatchers that read one delivery owns it: a message comes again whenever
 * partitions change hands.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { StateStore } from '@posthorn/state/state-store'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { createGate, createRig, type Rig } from '../dispatcher.fixture.ts'

let rig: Rig
let receiver: Receiver
beforeEach(async () => {
  rig = await createRig()
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.close()
  await rig.close()
})

async function isDelivered({ deliveryId }: DueDelivery): Promise<boolean> {
  return (await rig.states())[deliveryId] === 'delivered'
}

/** As if so much of its lease were left when it is read. */
async function aged(message: DueDelivery, leftMs: number): Promise<DueDelivery> {
  const { rows } = await rig.pool.query<{ token: number }>(
    `UPDATE due SET due_at = now() + $2 * interval '1 millisecond' WHERE id = $1
     RETURNING micros(due_at) AS token`,
    [message.deliveryId, leftMs],
  )
  return { ...message, token: rows[0]?.token ?? 0 }
}

test('what is recorded is not sent again by a repeated message while the state store is away', async () => {
  const away: StateStore = { ...rig.state, claim: async (claims) => claims.map(() => null) }
  const first = await rig.start({ state: away })
  const once = await rig.deliver({ destination: receiver.url })
  await eventually(() => isDelivered(once))
  await first.stop(1_000)

  await rig.start({ state: away })
  const [next] = (await rig.accept([{ destination: receiver.url }])) as [DueDelivery]
  rig.announce([once, next])
  await eventually(() => isDelivered(next))
  expect(receiver.requests).toHaveLength(2)
  expect(await rig.attempts(once.deliveryId)).toHaveLength(1)
})

test('what is read late has a whole lease when it is sent, and goes to nobody else afterwards', async () => {
  const gate = createGate()
  receiver.answer(async () => {
    await gate.opened
    return {}
  })
  const [message] = (await rig.accept([{ destination: receiver.url }])) as [DueDelivery]
  const late = await aged(message, 4_000)
  await rig.start()
  rig.announce([late])
  await receiver.waitFor(1)
  const { rows } = await rig.pool.query(
    `SELECT due_at > now() + interval '5 seconds' AS renewed FROM due WHERE id = $1`,
    [message.deliveryId],
  )
  expect(rows).toEqual([{ renewed: true }])
  gate.open()
  await eventually(() => isDelivered(message))
})

test('a claim counts for as long as a clock may be behind: what has just ended waits for it', async () => {
  const [message] = (await rig.accept([{ destination: receiver.url }])) as [DueDelivery]
  const ended = await aged(message, -500)
  await rig.state.claim([{ key: `claim:${ended.deliveryId}:${ended.token}`, ttlMs: 60_000 }])
  await rig.start()
  const [next] = (await rig.accept([{ destination: receiver.url }])) as [DueDelivery]
  rig.announce([ended, next])
  await eventually(() => isDelivered(next))
  expect(receiver.requests).toHaveLength(1)

  await rig.sweep()
  await eventually(() => isDelivered(message))
  expect(receiver.requests).toHaveLength(2)
})
