import { expect, test } from '@jest/globals'
import { type LoadedTenant, loadTogether, mapSmall, MAX_SMALL } from './load-tenants.ts'

const loaded = (value: string): LoadedTenant<string> => ({ version: 1, value, bytes: 10 })

/** Statements wait until they are let go; tenants beginning with 'large' are left out of them. */
function setUp() {
  const state = {
    together: [] as string[][],
    alone: [] as string[],
    running: 0,
    most: 0,
    fails: '',
    letGo: Promise.resolve(),
  }
  const load = loadTogether<string>({
    async load(tenantId) {
      state.alone.push(tenantId)
      if (tenantId === state.fails) throw new Error('can not be read')
      return loaded(`${tenantId}, alone`)
    },
    async loadSmall(tenantIds) {
      state.together.push([...tenantIds])
      state.running += 1
      state.most = Math.max(state.most, state.running)
      await state.letGo
      state.running -= 1
      if (tenantIds.includes(state.fails)) throw new Error('can not be read')
      const small = tenantIds.filter((one) => !one.startsWith('large'))
      return new Map(small.map((one) => [one, loaded(one)]))
    },
  })
  return { state, load }
}

test('who is asked for in one turn is read in one statement, 32 at a time, by two statements', async () => {
  const { state, load } = setUp()
  const gate = Promise.withResolvers<void>()
  state.letGo = gate.promise
  const all = Array.from({ length: 100 }, (_, n) => `t${n}`)
  const asked = all.map(load)
  await Promise.resolve()
  expect(state.together.map((batch) => batch.length)).toEqual([32, 32])
  gate.resolve()
  expect((await Promise.all(asked)).map(({ value }) => value)).toEqual(all)
  expect(state.together.map((batch) => batch.length)).toEqual([32, 32, 32, 4])
  expect([state.most, state.alone]).toEqual([2, []])
})

test('one that is large is read alone, and the statements of the others do not wait for it', async () => {
  const { state, load } = setUp()
  const [large, small] = await Promise.all([load('large'), load('small')])
  expect([large.value, small.value]).toEqual(['large, alone', 'small'])
  expect(state).toMatchObject({ together: [['large', 'small']], alone: ['large'] })
})

test('one that can not be read fails for itself', async () => {
  const { state, load } = setUp()
  state.fails = 'broken'
  const [broken, whole] = await Promise.allSettled([load('broken'), load('whole')])
  expect(broken).toMatchObject({ status: 'rejected', reason: new Error('can not be read') })
  expect(whole).toMatchObject({ status: 'fulfilled', value: { value: 'whole, alone' } })
})

test('a tenant’s rows are made into one, and one with too many is left out', () => {
  const rowsOf = (tenant: string, count: number) =>
    Array.from({ length: count }, () => ({ tenant }))
  const rows = [...rowsOf('full', MAX_SMALL), ...rowsOf('large', MAX_SMALL + 1)]
  const made = mapSmall(['full', 'large', 'gone'], rows, (tenantId, own) => [tenantId, own.length])
  expect(Object.fromEntries(made)).toEqual({ full: ['full', MAX_SMALL], gone: ['gone', 0] })
})
