import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { Egress } from '@posthorn/egress/egress'
import { eventually } from '@posthorn/testing/eventually'
import type { ResolvedTarget } from '../config/resolve-target.ts'
import { newDelivery, type Queued, toQueued } from '../delivery.ts'
import { newTargetQueue } from '../schedule/target-queue.ts'
import { createWindows, windowLimits } from '../schedule/windows.ts'
import { createAttempts } from './attempt-delivery.ts'
import { createSender, mayStillSend, type SenderDeps } from './send-attempt.ts'

const NOW = 1_000
const target = {
  url: 'https://example.com',
  originKey: 't o',
  headers: {},
  transformation: null,
  storage: null,
  circuit: null,
  secrets: () => ({ current: 'whsec_bm9uZQ==', previous: null, previousUntil: 0 }),
} as unknown as ResolvedTarget

/** Attempts the head of a lane that is leased until then, and tells what became of it. */
function attemptHead(
  leasedUntil: number,
  send: Egress['send'],
): { delivery: Queued; happened: string[] } {
  const happened: string[] = []
  const note = (what: string) => (): void => void happened.push(what)
  const names = new Proxy({}, { get: (_, name) => String(name) })
  const sender = createSender({ names: names as never, userAgent: 'x' }, {
    egress: {
      send: (request: Parameters<Egress['send']>[0]) => {
        happened.push('sent')
        return send(request)
      },
    },
    now: () => NOW,
    databaseNow: () => NOW,
    log: { warn: note('told'), error: note('failed') },
  } as unknown as SenderDeps)
  const windows = createWindows(windowLimits(16))
  const attempts = createAttempts({
    windows,
    sender,
    configuration: { peekTenant: () => undefined },
    circuits: { stops: () => false },
    recorder: { record: note('recorded') },
    parking: { park: note('parked'), cancel: note('cancelled'), drop: note('dropped') },
    slotResized: note('resized'),
    slotFreed: note('slot freed'),
    ticker: { wake: () => undefined },
    now: () => NOW,
  })
  const message = { lane: '', payload: '{}', headers: null, attempts: 0 } as unknown as DueDelivery
  const delivery = toQueued(newDelivery(message, 1, null, 0, leasedUntil), target, 0)
  attempts.start(delivery, newTargetQueue('a', windows.add('t o'), 0))
  return { delivery, happened }
}

test('the head of a lane whose lease may have ended is not sent, and left to whoever has it', async () => {
  const { happened } = attemptHead(NOW, () => Promise.reject(new Error('it was sent')))
  expect(happened).toEqual([])
  await eventually(() => expect(happened).toEqual(['told', 'slot freed', 'dropped']))
})

test('nor when that is so only once there is a connection', async () => {
  const timing = { firstByteOutAt: null, lastByteInAt: NOW, durationMs: 1 }
  const { happened, delivery } = attemptHead(NOW + 1, async ({ mayGo }) => {
    await Promise.resolve()
    expect(mayGo?.()).toBe(true)
    delivery.lost = true
    expect(mayGo?.()).toBe(false)
    return { outcome: 'error', category: 'internal', detail: '', withheld: true, ...timing }
  })
  await eventually(() => expect(happened).toEqual(['sent', 'told', 'slot freed', 'dropped']))
})

test('the head of a lane goes out only while nobody else may have it, by the process’s own clock', () => {
  const of = (lane: string | null, lost: boolean) => ({
    message: { lane } as DueDelivery,
    lost,
    leasedUntil: 500,
  })
  expect(mayStillSend(of('', false), 499)).toBe(true)
  expect(mayStillSend(of('', false), 500)).toBe(false)
  expect(mayStillSend(of('', true), 499)).toBe(false)
  expect(mayStillSend(of(null, true), 9_999)).toBe(true)
})
