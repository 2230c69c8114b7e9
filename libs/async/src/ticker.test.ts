import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { createTicker, type NextRound } from './ticker.ts'

/** Each round takes the next answer; `until` resolves when that many rounds have begun. */
function rounds(answers: NextRound[]) {
  let begun = 0
  let onBegun: (() => void) | undefined
  const ticker = createTicker(
    {
      name: 'test',
      everyMs: 1,
      onError: (error) => {
        throw error
      },
    },
    async () => {
      begun += 1
      onBegun?.()
      return answers.shift()
    },
  )
  return {
    ticker,
    begun: () => begun,
    async until(count: number): Promise<void> {
      while (begun < count) {
        const { promise, resolve } = Promise.withResolvers<void>()
        onBegun = resolve
        await promise
      }
    },
  }
}

/** Time enough for a round of a ticker that is awake. */
async function roundsOfAnother(count: number): Promise<void> {
  const another = rounds([])
  another.ticker.start()
  await another.until(count)
  await another.ticker.stop()
}

test('it sleeps when its work says so, and goes on when it is woken', async () => {
  const { ticker, begun, until } = rounds([undefined, 'sleep'])
  ticker.start()
  await until(2)
  await roundsOfAnother(3)
  expect(begun()).toBe(2)
  ticker.wake()
  ticker.wake()
  await until(4)
  await ticker.stop()
})

test('it does not sleep over what came while it worked', async () => {
  const { promise: atWork, resolve: reached } = Promise.withResolvers<void>()
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: again, resolve: onSecond } = Promise.withResolvers<void>()
  let begun = 0
  const ticker = createTicker({ name: 'test', everyMs: 1, onError: () => {} }, async () => {
    begun += 1
    if (begun === 2) onSecond()
    reached()
    await mayEnd
    return 'sleep'
  })
  ticker.start()
  await atWork
  ticker.wake()
  end()
  await again
  await ticker.stop()
  expect(begun).toBe(2)
})

test('once stopped it is not woken', async () => {
  const { ticker, begun, until } = rounds(['sleep'])
  ticker.start()
  await until(1)
  await ticker.stop()
  ticker.wake()
  await roundsOfAnother(3)
  expect(begun()).toBe(1)
})

test('it sleeps for as long as its work says, or until it is woken', async () => {
  const { ticker, begun, until } = rounds([1, 3_600_000])
  ticker.start()
  await until(2)
  await roundsOfAnother(3)
  expect(begun()).toBe(2)
  ticker.wake()
  await until(3)
  await ticker.stop()
})

test('woken from such a sleep it goes on at once, but for its pace', async () => {
  const times: number[] = []
  const { promise: second, resolve: onSecond } = Promise.withResolvers<void>()
  const { promise: third, resolve: onThird } = Promise.withResolvers<void>()
  const everyMs = 80
  const ticker = createTicker({ name: 'test', everyMs, onError: () => {} }, async () => {
    times.push(performance.now())
    if (times.length === 2) onSecond()
    if (times.length === 3) onThird()
    return 3_600_000
  })
  ticker.start()
  ticker.wake()
  await second
  await eventually(() => performance.now() - (times[1] ?? 0) > 2 * everyMs)
  const wokenAt = performance.now()
  ticker.wake()
  await third
  await ticker.stop()
  const [first = 0, next = 0, last = 0] = times
  expect(next - first).toBeGreaterThanOrEqual(everyMs - 1)
  expect(last - wokenAt).toBeLessThan(everyMs)
})

test('after an error it sleeps for as long as it is told, or until it is woken', async () => {
  let begun = 0
  const again = Promise.withResolvers<void>()
  const config = { name: 'test', everyMs: 1, afterErrorMs: 3_600_000, onError: () => {} }
  const ticker = createTicker(config, async () => {
    begun += 1
    if (begun === 2) again.resolve()
    throw new Error('refused')
  })
  ticker.start()
  await roundsOfAnother(3)
  expect(begun).toBe(1)
  ticker.wake()
  await again.promise
  await ticker.stop()
})

test('loops that rest for a second or half of one meet, whenever they began', async () => {
  const instants: Set<string>[] = []
  const { promise: met, resolve } = Promise.withResolvers<void>()
  const open = (name: string, everyMs: number) =>
    createTicker({ name, everyMs, onError: () => {} }, async () => {
      const last = instants.at(-1)
      if (last === undefined || last.has(name)) instants.push(new Set([name]))
      else last.add(name)
      setTimeout(() => instants.push(new Set()), 5)
      if (instants.at(-1)?.size === 3) resolve()
    })
  const loops = [open('one', 500), open('two', 1_000), open('three', 1_000)]
  for (const loop of loops) {
    loop.start()
    await roundsOfAnother(20)
  }
  await met
  await Promise.all(loops.map((loop) => loop.stop()))
})

test('a pause is shorter than was asked by a sixth at most', async () => {
  const begun: number[] = []
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const ticker = createTicker({ name: 'test', everyMs: 600, onError: () => {} }, async () => {
    begun.push(performance.now())
    if (begun.length === 3) resolve()
  })
  ticker.start()
  await done
  await ticker.stop()
  const [first, second, third] = begun as [number, number, number]
  for (const pause of [second - first, third - second]) expect(pause).toBeGreaterThan(499)
})
