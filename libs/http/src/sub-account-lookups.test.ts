import { expect, test } from '@jest/globals'
import { createSubAccountLookups } from './sub-account-lookups.ts'
import type { FoundSubAccount } from './sub-account-place.ts'

const PARENT = 'parent'
const subAccount = (tenantId: string): FoundSubAccount => ({
  tenantId,
  parentId: PARENT,
  isDeactivated: false,
  projects: [],
})

function setUp() {
  const state = {
    ms: 1_000_000,
    lookups: 0,
    asked: 0,
    changed: new Set<string>() as ReadonlySet<string> | 'unknown',
  }
  const lookups = createSubAccountLookups({
    findSubAccounts: async (references) => {
      state.lookups += 1
      return new Map(references.map((one) => [one, subAccount(one.split('/')[1] ?? '')]))
    },
    changedTenants: async () => {
      state.asked += 1
      return state.changed
    },
    monotonicMs: () => state.ms,
  })
  const find = async (): Promise<void> => void (await lookups.find(`${PARENT}/a`, () => true))
  return { state, lookups, find }
}

test('without askings after changes one is kept for a second', async () => {
  const { state, find } = setUp()
  await find()
  state.ms += 999
  await find()
  expect(state.lookups).toBe(1)
  state.ms += 1
  await find()
  expect(state.lookups).toBe(2)
})

test('with one each second it is kept for ten minutes, and not when they stop', async () => {
  const { state, lookups, find } = setUp()
  await find()
  for (let second = 0; second < 599; second += 1) {
    await lookups.refresh()
    state.ms += 1_000
    await find()
  }
  expect(state.lookups).toBe(1)
  state.ms += 801
  await find()
  expect(state.lookups).toBe(2)
})

test('until something is looked up it asks every ten seconds what has changed', async () => {
  const { state, lookups, find } = setUp()
  for (let second = 0; second < 20; second += 1) {
    await lookups.refresh()
    state.ms += 1_000
  }
  expect(state.asked).toBe(2)
  state.ms -= 1_000
  await find()
  await lookups.refresh()
  expect(state.asked).toBe(3)
})

test.each([
  ['its own change', 'a'],
  ['its parent’s', PARENT],
  ['any may have changed', null],
])('it is dropped at %s, and at nobody else’s', async (_, changed) => {
  const { state, lookups, find } = setUp()
  await find()
  state.changed = new Set(['another'])
  await lookups.refresh()
  await find()
  expect(state.lookups).toBe(1)
  state.changed = changed === null ? 'unknown' : new Set([changed])
  await lookups.refresh()
  await find()
  expect(state.lookups).toBe(2)
})
