import { expect, test } from '@jest/globals'
import { createSingleFlight } from './single-flight.ts'

function setUp() {
  const flight = createSingleFlight<string>()
  const begun: PromiseWithResolvers<string>[] = []
  const run = (key: string) =>
    flight.run(key, () => {
      const own = Promise.withResolvers<string>()
      begun.push(own)
      return own.promise
    })
  return { flight, begun, run }
}

test('who asks at the same time shares one look-up, and the next one begins another', async () => {
  const { flight, begun, run } = setUp()
  const asked = [run('a'), run('a'), run('b')]
  expect([begun.length, flight.size(), flight.isUnderWay('a')]).toEqual([2, 2, true])
  begun[0]?.resolve('first')
  begun[1]?.resolve('other')
  expect(await Promise.all(asked)).toEqual(['first', 'first', 'other'])
  expect([flight.size(), flight.isUnderWay('a')]).toEqual([0, false])
  const next = run('a')
  begun[2]?.resolve('second')
  expect(await next).toBe('second')
})

test('a failure is told to all that asked, and is not kept', async () => {
  const { begun, run } = setUp()
  const asked = [run('a'), run('a')]
  begun[0]?.reject(new Error('down'))
  const ends = await Promise.allSettled(asked)
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const next = run('a')
  begun[1]?.resolve('up')
  expect(await next).toBe('up')
})

test('what was forgotten is joined by nobody, and its end does not end the next one', async () => {
  const { flight, begun, run } = setUp()
  const old = run('a')
  flight.forget()
  const fresh = run('a')
  expect(begun).toHaveLength(2)
  begun[0]?.resolve('old')
  expect(await old).toBe('old')
  expect(flight.isUnderWay('a')).toBe(true)
  begun[1]?.resolve('fresh')
  expect(await fresh).toBe('fresh')
})
