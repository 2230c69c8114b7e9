import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { eventually } from '@posthorn/testing/eventually'
import type { ResolvedTarget } from '../config/tenant-config.ts'
import { createSendAttempt, type SendAttemptDeps } from './send-attempt.ts'
import { newLeasedDelivery, type LeasedDelivery } from '../delivery.ts'

const NOW = 1_000
const way = {
  url: 'https://example.com',
  headers: {},
  transformation: null,
  storage: null,
  secrets: () => ({ current: 'whsec_bm9uZQ==', previous: null, previousUntil: 0 }),
} as unknown as ResolvedTarget

/** Tries a lane's head that is held until then, and tells what became of it. */
function tryHead(
  heldUntil: number,
  send: SendAttemptDeps['send'],
): { work: LeasedDelivery; happened: string[] } {
  const happened: string[] = []
  const note = (what: string) => (): void => void happened.push(what)
  const deps = {
    send: (request: Parameters<SendAttemptDeps['send']>[0]) => {
      happened.push('sent')
      return send(request)
    },
    ended: note('ended'),
    record: note('recorded'),
    drop: note('dropped'),
    cancel: note('cancelled'),
    now: () => NOW,
    databaseNow: () => NOW,
    random: () => 0.5,
    log: { warn: note('told'), error: note('failed') },
  } as unknown as SendAttemptDeps
  const names = new Proxy({}, { get: (_, name) => String(name) })
  const begin = createSendAttempt({ names: names as never, userAgent: 'x' }, deps)
  const message = { lane: '', payload: '{}', headers: null, tries: 0 } as unknown as DueDelivery
  const work = newLeasedDelivery(message, 1, null, 0, heldUntil)
  begin(work, way)
  return { work, happened }
}

test('a lane’s head whose lease may have ended is not sent, and left to whoever has it', async () => {
  const { happened } = tryHead(NOW, () => Promise.reject(new Error('it was sent')))
  expect(happened).toEqual([])
  await eventually(() => expect(happened).toEqual(['told', 'ended', 'dropped']))
})

test('nor when that is so only once there is a connection', async () => {
  const timing = { firstByteOutAt: null, lastByteInAt: NOW, durationMs: 1 }
  const { happened, work } = tryHead(NOW + 1, async ({ mayGo }) => {
    await Promise.resolve()
    expect(mayGo?.()).toBe(true)
    work.lost = true
    expect(mayGo?.()).toBe(false)
    return { outcome: 'error', category: 'internal', detail: '', withheld: true, ...timing }
  })
  await eventually(() => expect(happened).toEqual(['sent', 'told', 'ended', 'dropped']))
})
