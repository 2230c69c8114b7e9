import { expect, test } from '@jest/globals'
import { createInProcessBus } from './in-process-bus.ts'
import { recordEvents } from './bus.conformance.ts'
import type { Bus, Reader } from './bus.ts'
import { listen } from './listen.ts'

const DUE_SOON = { v: 1 } as const

const nextRound = (): Promise<void> => new Promise((done) => setImmediate(done))

function listening(bus: Pick<Bus, 'subscribe'>) {
  const heard: unknown[] = []
  const errors: unknown[] = []
  const listener = listen({
    bus,
    group: 'retry-scheduler',
    on: {
      'due.soon': (message) => heard.push(message),
      'flood.congested': ({ tenantId }) => heard.push(tenantId),
    },
    onError: (error) => errors.push(error),
  })
  return { listener, heard, errors }
}

test('hears each message of each of its topics, and nothing more once it has stopped', async () => {
  const bus = createInProcessBus({}, recordEvents())
  const { listener, heard, errors } = listening(bus)
  await nextRound()
  bus.announce('due.soon', [DUE_SOON, DUE_SOON])
  bus.announce('flood.congested', [{ v: 1, tenantId: 't' }])
  await nextRound()
  await listener.stop()
  bus.announce('due.soon', [DUE_SOON])
  await nextRound()
  expect([heard, errors]).toEqual([[DUE_SOON, DUE_SOON, 't'], []])
})

test('stops what begins only after it was stopped', async () => {
  const begun = Promise.withResolvers<Reader>()
  const { listener } = listening({ subscribe: () => begun.promise })
  await listener.stop()
  let stops = 0
  begun.resolve({ pause: () => {}, stop: async () => void (stops += 1) })
  await nextRound()
  expect(stops).toBe(1)
})

test('tells that it could not begin', async () => {
  const { listener, errors } = listening({ subscribe: () => Promise.reject(new Error('gone')) })
  await nextRound()
  expect(errors.map(String)).toEqual(['Error: gone'])
  await listener.stop()
})
