import { describe, expect, test } from '@jest/globals'
import { isDataError, isRetryable, isUnavailable } from './pool.ts'
import { withRetries, storable, writeRows } from './repeat.ts'

function failure(code: string, message = 'failed'): Error {
  return Object.assign(new Error(message), { code })
}

describe('repeating', () => {
  test.each(['40P01', '40001', '55P03'])('%s is repeated, up to five times', async (code) => {
    let calls = 0
    const fails = (times: number) => async (): Promise<number> => {
      calls += 1
      if (calls <= times) throw failure(code)
      return calls
    }
    expect(await withRetries(fails(5))).toBe(6)
    calls = 0
    await expect(withRetries(fails(100))).rejects.toMatchObject({ code })
    expect(calls).toBe(6)
  })

  test('anything else is not', async () => {
    let calls = 0
    const work = async (): Promise<never> => {
      calls += 1
      throw failure('23505')
    }
    await expect(withRetries(work)).rejects.toMatchObject({ code: '23505' })
    expect(calls).toBe(1)
  })
})

describe('writeRows', () => {
  /** Refuses every statement that has one of `bad` in it. */
  function createTable(bad: number[]) {
    const calls: number[][] = []
    const write = async (rows: readonly number[]): Promise<number[]> => {
      calls.push([...rows])
      if (rows.some((row) => bad.includes(row))) throw failure('22P05')
      return rows.map((row) => row * 10)
    }
    return { calls, write }
  }
  const rows = [1, 2, 3, 4, 5, 6, 7, 8]

  test('all rows in one statement', async () => {
    const { calls, write } = createTable([])
    expect(await writeRows(rows, write)).toEqual({
      written: rows.map((row) => row * 10),
      refused: [],
    })
    expect(calls).toHaveLength(1)
  })

  test.each([[[1]], [[8]], [[3, 4]], [[1, 8]], [rows]])(
    'at fault are %j: they alone are refused',
    async (bad) => {
      const { calls, write } = createTable(bad)
      const { written, refused } = await writeRows(rows, write)
      expect(written).toEqual(rows.filter((row) => !bad.includes(row)).map((row) => row * 10))
      expect(refused.map(({ row }) => row)).toEqual(bad)
      expect(refused[0]?.error).toMatchObject({ code: '22P05' })
      if (bad.length === 1) expect(calls.length).toBeLessThanOrEqual(2 * Math.log2(rows.length) + 1)
    },
  )

  test('none: no statement', async () => {
    const { calls, write } = createTable([])
    expect(await writeRows([], write)).toEqual({ written: [], refused: [] })
    expect(calls).toEqual([])
  })

  test('a store that is down is nobody’s data', async () => {
    const write = async (): Promise<never> => {
      throw failure('57P01')
    }
    await expect(writeRows(rows, write)).rejects.toMatchObject({ code: '57P01' })
  })
})

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['\u{1f600}é', '\u{1f600}é'],
  ['a\0b\0', 'a\ufffdb\ufffd'],
  ['\ud800', '\ufffd'],
  ['x\udc00\0', 'x\ufffd\ufffd'],
])('storable(%j)', (text, expected) => {
  expect(storable(text)).toBe(expected)
})

test.each([
  ['ECONNREFUSED', 'down'],
  ['57P01', 'down'],
  ['57P03', 'down'],
  ['53300', 'down'],
  ['08006', 'down'],
  ['57014', 'down'],
  ['25006', 'down'],
  ['40P01', 'repeatable'],
  ['40001', 'repeatable'],
  ['55P03', 'repeatable'],
  ['22P05', 'data'],
  ['22003', 'data'],
  ['23514', 'data'],
  ['42601', 'bug'],
])('%s means: %s', (code, meaning) => {
  const error = failure(code)
  expect([isUnavailable(error), isRetryable(error), isDataError(error)]).toEqual([
    meaning === 'down',
    meaning === 'repeatable',
    meaning === 'data',
  ])
})

test.each([
  'Connection terminated unexpectedly',
  'timeout exceeded when trying to connect',
  'Query read timeout',
])('the driver’s own words for a store that is away: %s', (message) => {
  expect(isUnavailable(new Error(message))).toBe(true)
})

test.each([[undefined], [null], ['text'], [new Error('a bug')]])('%s is none of these', (error) => {
  expect([isUnavailable(error), isRetryable(error), isDataError(error)]).toEqual([
    false,
    false,
    false,
  ])
})
