import { beforeEach, expect, test } from '@jest/globals'
import { createInProcessState } from '@posthorn/state/in-process-state'
import type { StateStore } from '@posthorn/state/state-store'
import { createSocketSlots, type SocketSlots } from './socket-slots.ts'

const CONFIG = { perTenant: 3, ttlMs: 10_000 }

let now: number
let state: StateStore
beforeEach(() => {
  now = 0
  state = createInProcessState({}, { nowMs: () => now })
})

const instance = (store: Pick<StateStore, 'claim' | 'renew'> = state): SocketSlots =>
  createSocketSlots(CONFIG, { state: store, nowMs: () => now })

async function takeAll(slots: SocketSlots, count: number): Promise<(number | null)[]> {
  return await Promise.all(Array.from({ length: count }, () => slots.take('t')))
}

const taken = (slots: readonly (number | null)[]): number =>
  slots.filter((slot) => slot !== null).length

test('instances share what a workspace may have, asked at once or not', async () => {
  const [one, two] = [instance(), instance()]
  const both = await Promise.all([takeAll(one, 3), takeAll(two, 3)])
  expect(taken(both.flat())).toBe(3)
  expect(await one.take('t')).toBeNull()
  expect(await one.take('another')).toBe(0)
})

test('what is released is free at once where it was, and elsewhere when its claim has ended', async () => {
  const [one, two] = [instance(), instance()]
  await takeAll(one, 3)
  one.release('t', 1)
  one.release('t', 1)
  expect(await two.take('t')).toBeNull()
  expect(await one.take('t')).toBe(1)
  expect(await one.take('t')).toBeNull()
  one.release('t', 2)
  for (now = 3_000; now < 12_000; now += 3_000) await one.renew()
  expect(await two.take('t')).toBe(2)
  expect(await two.take('t')).toBeNull()
})

test('the slots of an instance that is gone are free after their time', async () => {
  await takeAll(instance(), 3)
  const other = instance()
  now = 9_999
  expect(await other.take('t')).toBeNull()
  now = 10_001
  expect(taken(await takeAll(other, 4))).toBe(3)
})

test('what the store has lost is claimed again', async () => {
  const one = instance({
    claim: async (claims) => await state.claim(claims),
    renew: async (claims) => await state.renew(claims),
  })
  await takeAll(one, 3)
  state = createInProcessState({}, { nowMs: () => now })
  await one.renew()
  expect(await instance().take('t')).toBeNull()
})

test('without the store each instance counts by itself', async () => {
  const away = {
    claim: async (claims: readonly unknown[]) => claims.map(() => null),
    renew: async () => undefined,
  }
  const both = await Promise.all([takeAll(instance(away), 5), takeAll(instance(away), 5)])
  expect(both.map(taken)).toEqual([3, 3])
})
