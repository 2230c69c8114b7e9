/**
 * The bus's own figures are enough to tell a reader that is stuck from one that works or has
 * nothing to do.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Bus, Received } from '@posthorn/bus/bus'
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import { createProgressWatch, LOOKS } from '@posthorn/runtime/progress-watch'

let bus: Bus
let stuck: string[]
let look: () => Promise<void>

beforeEach(() => {
  stuck = []
  const onEvent = (): void => undefined
  bus = createInProcessBus({}, { onPoison: onEvent, onError: onEvent, onFatal: onEvent })
  look = createProgressWatch({
    progress: () => bus.progress(),
    storesAreWell: async () => true,
    onStuck: (reason) => stuck.push(reason),
  })
})
afterEach(() => bus.close(0))

async function read(onMessages: (messages: readonly Received<unknown>[]) => void) {
  const topics = ['event.accepted'] as const
  const give = (_topic: string, messages: readonly Received<unknown>[]) => onMessages(messages)
  return await bus.subscribe({ group: 'fanout', topics, maxInFlight: 2, onMessages: give })
}

async function announceAndLook(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    bus.announce('event.accepted', [{ v: 1, tenantId: 't', eventId: `e${n}` }])
    await look()
  }
}

test('a reader that takes messages and never ends one is stuck', async () => {
  await read(() => undefined)
  await announceAndLook(LOOKS)
  expect(stuck).toEqual([])
  await announceAndLook(2)
  expect(stuck).toEqual([expect.stringMatching(/^fanout has done none of the \d+ messages/)])
})

test('one that ends what it takes is not, nor one that is told to stop', async () => {
  const working = await read((messages) => {
    for (const message of messages) message.done()
  })
  await announceAndLook(3 * LOOKS)
  await working.stop()
  const leaving = await read(() => undefined)
  await announceAndLook(1)
  leaving.pause()
  await announceAndLook(3 * LOOKS)
  expect(stuck).toEqual([])
})
