import { expect, test } from '@jest/globals'
import { createOneByOne } from './one-by-one.ts'

test('a tenant’s tasks run one after another, and another tenant’s concurrently', async () => {
  const oneByOne = createOneByOne(10)
  const log: string[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const work = (name: string) => async (): Promise<string> => {
    log.push(`${name} begins`)
    const gate = Promise.withResolvers<void>()
    gates.set(name, gate)
    await gate.promise
    return name
  }
  const first = oneByOne('a', work('first'))
  const second = oneByOne('a', work('second'))
  const beside = oneByOne('b', work('beside'))
  await Promise.resolve()
  expect(log).toEqual(['first begins', 'beside begins'])
  gates.get('first')?.reject(new Error('failed'))
  await expect(first).rejects.toThrow('failed')
  expect(log).toEqual(['first begins', 'beside begins', 'second begins'])
  gates.get('second')?.resolve()
  gates.get('beside')?.resolve()
  expect(await Promise.all([second, beside])).toEqual(['second', 'beside'])
})

test('tasks beyond the limit are refused until one has ended', async () => {
  const oneByOne = createOneByOne(2)
  const gate = Promise.withResolvers<number>()
  const taken = [1, 2, 3].map(() => oneByOne('a', () => gate.promise))
  await expect(oneByOne('a', async () => 0)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(await oneByOne('b', async () => 0)).toBe(0)
  gate.resolve(1)
  expect(await Promise.all(taken)).toEqual([1, 1, 1])
  expect(await oneByOne('a', async () => 2)).toBe(2)
})
