import { expect, test } from '@jest/globals'
import { createPayloads } from './load-payload.ts'

function reading(texts: Record<string, string>) {
  const asked: string[][] = []
  let now = 1_000
  const payloads = createPayloads({
    statements: {
      async loadPayloads(events) {
        asked.push(events.map(({ eventId }) => eventId))
        return new Map(events.map(({ eventId }) => [eventId, texts[eventId] as string]))
      },
    },
    databaseNow: () => now,
  })
  return { payloads, asked, texts, at: (ms: number) => (now = ms) }
}

test('reads what is asked for in one turn together, and each event once', async () => {
  const { payloads, asked } = reading({ a: 'A', b: 'B' })
  const loaded = await Promise.all(['a', 'b', 'a', 'gone'].map((id) => payloads.load('t', id, 900)))
  expect(loaded).toEqual(['A', 'B', 'A', null])
  expect(asked).toEqual([['a', 'b', 'gone']])
  expect(await payloads.load('t', 'a', 1_000)).toBe('A')
  expect(asked).toHaveLength(1)
})

test('reads again for a delivery that was announced after the last reading', async () => {
  const { payloads, asked, texts, at } = reading({ a: 'before the edit' })
  await payloads.load('t', 'a', 900)
  texts['a'] = 'after it'
  at(2_000)
  expect(await payloads.load('t', 'a', 1_500)).toBe('after it')
  expect(asked).toHaveLength(2)
})

test('keeps no more than its bound, the latest', async () => {
  const text = 'x'.repeat(4 * 1024 * 1024 - 1_024)
  const { payloads, asked } = reading({ a: text, b: text, c: text, d: text, e: text })
  for (const id of ['a', 'b', 'c', 'd', 'e', 'e', 'b', 'a']) await payloads.load('t', id, 0)
  expect(asked.flat()).toEqual(['a', 'b', 'c', 'd', 'e', 'a'])
})

test('keeps no more of small ones than what their entries take', async () => {
  const { payloads, asked } = reading(
    Object.fromEntries(Array.from({ length: 70_000 }, (_, n) => [`e${n}`, 'x'])),
  )
  await payloads.load('t', 'e0', 0)
  await Promise.all(Array.from({ length: 69_999 }, (_, n) => payloads.load('t', `e${n + 1}`, 0)))
  const before = asked.length
  await payloads.load('t', 'e69999', 0)
  expect(asked).toHaveLength(before)
  await payloads.load('t', 'e0', 0)
  expect(asked).toHaveLength(before + 1)
})

test('a failed reading fails those who asked, and the next one asks again', async () => {
  let fails = true
  const payloads = createPayloads({
    statements: {
      async loadPayloads() {
        if (fails) throw new Error('away')
        return new Map([['a', 'A']])
      },
    },
    databaseNow: () => 1_000,
  })
  await expect(payloads.load('t', 'a', 0)).rejects.toThrow('away')
  fails = false
  expect(await payloads.load('t', 'a', 0)).toBe('A')
})
