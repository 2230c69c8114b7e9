import { expect, test } from '@jest/globals'
import { createSharedSlots, type SharedSlots, type SlotLimits } from './shared-slots.ts'

interface Bench {
  slots: SharedSlots
  /** Names of what began, in order. */
  begun: string[]
  ask(owner: string, name: string): Promise<string>
  end(name: string): Promise<void>
  pass(ms: number): void
}

function bench(more: Partial<SlotLimits> = {}): Bench {
  let now = 0
  const begun: string[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const slots = createSharedSlots(
    {
      slots: 2,
      slotsPerOwner: 1,
      slowSlots: 1,
      slowMs: 500,
      rememberMs: 10_000,
      waitingPerOwner: 3,
      maxWaitMs: 1_000,
      ...more,
    },
    { refusal: () => new Error('no slot'), clock: () => now },
  )
  return {
    slots,
    begun,
    ask: (owner, name) =>
      slots(owner, async () => {
        begun.push(name)
        const gate = Promise.withResolvers<void>()
        gates.set(name, gate)
        await gate.promise
        return name
      }),
    async end(name) {
      await new Promise(setImmediate)
      gates.get(name)?.resolve()
      await new Promise(setImmediate)
    },
    pass(ms) {
      now += ms
    },
  }
}

test('an owner whose work never ends leaves a slot to others', async () => {
  const { ask, begun, end } = bench()
  const slow = ['s1', 's2', 's3'].map((name) => ask('slow', name))
  const quick = [ask('a', 'a1'), ask('b', 'b1'), ask('a', 'a2')]
  await new Promise(setImmediate)
  expect(begun).toEqual(['s1', 'a1'])
  await end('a1')
  await end('b1')
  await end('a2')
  expect(begun).toEqual(['s1', 'a1', 'b1', 'a2'])
  expect(await Promise.all(quick)).toEqual(['a1', 'b1', 'a2'])
  for (const name of ['s1', 's2', 's3']) await end(name)
  expect(await Promise.all(slow)).toEqual(['s1', 's2', 's3'])
})

test('owners are served in turn, whoever asks for more', async () => {
  const { ask, begun, end } = bench()
  const all = [ask('x', 'x1'), ask('y', 'y1')]
  all.push(...['a1', 'a2', 'a3'].map((name) => ask('a', name)))
  all.push(...['b1', 'c1'].map((name) => ask(name.slice(0, 1), name)))
  for (const name of ['x1', 'y1', 'a1', 'b1', 'c1', 'a2', 'a3']) await end(name)
  expect(begun).toEqual(['x1', 'y1', 'a1', 'b1', 'c1', 'a2', 'a3'])
  await Promise.all(all)
})

test('an owner with too much waiting is refused, another is not', async () => {
  const { ask, begun, end } = bench()
  const taken = ['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name))
  await expect(ask('a', 'a5')).rejects.toThrow('no slot')
  const other = ask('b', 'b1')
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) await end(name)
  expect(await Promise.all([...taken, other])).toHaveLength(5)
  expect(begun).not.toContain('a5')
})

test('what has waited too long is refused and takes no slot', async () => {
  const { ask, begun, end, pass } = bench()
  const first = ask('a', 'a1')
  const late = ask('a', 'a2')
  const refused = expect(late).rejects.toThrow('no slot')
  pass(1_001)
  const next = ask('a', 'a3')
  await end('a1')
  await refused
  await end('a3')
  expect(await Promise.all([first, next])).toEqual(['a1', 'a3'])
  expect(begun).toEqual(['a1', 'a3'])
})

test('work that fails gives its slot back', async () => {
  const { slots } = bench()
  const fail = (): Promise<never> => slots('a', () => Promise.reject(new Error('failed')))
  for (let n = 0; n < 5; n += 1) await expect(fail()).rejects.toThrow('failed')
  expect(await slots('a', async () => 1)).toBe(1)
})

test('owners that were slow share one slot, however many they are, and get the others back later', async () => {
  const { ask, begun, end, pass } = bench({ slots: 3, maxWaitMs: 60_000 })
  const first = [ask('s', 's1'), ask('t', 't1')]
  await new Promise(setImmediate)
  pass(501)
  // Both still run and take long: nobody who is slow begins beside them, and others do.
  const others = [ask('a', 'a1')]
  await end('a1')
  await end('s1')
  await end('t1')
  const again = [ask('s', 's2'), ask('t', 't2'), ask('u', 'u1'), ask('v', 'v1')]
  await new Promise(setImmediate)
  expect(begun).toEqual(['s1', 't1', 'a1', 's2', 'u1', 'v1'])
  await end('s2')
  expect(begun).toContain('t2')
  for (const name of ['t2', 'u1', 'v1']) await end(name)
  pass(10_001)
  const later = [ask('s', 's3'), ask('t', 't3')]
  await new Promise(setImmediate)
  expect(begun.slice(-2)).toEqual(['s3', 't3'])
  for (const name of ['s3', 't3']) await end(name)
  expect(await Promise.all([...first, ...others, ...again, ...later])).toHaveLength(9)
})
