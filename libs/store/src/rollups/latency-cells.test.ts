import { describe, expect, test } from '@jest/globals'
import { CELLS, cellOf, percentile } from './latency-cells.ts'

function counted(latencies: readonly number[]): number[] {
  const cells = Array.from({ length: CELLS }, () => 0)
  for (const ms of latencies) cells[cellOf(ms)] = (cells[cellOf(ms)] ?? 0) + 1
  return cells
}

describe('latency cells', () => {
  test('grow with the latency, and end with the first and the last cell', () => {
    expect([0, 1, 2, 1_024, 65_535, 65_536, 10_000_000].map(cellOf)).toEqual([
      0, 0, 8, 80, 127, 127, 127,
    ])
  })

  test('give back each whole millisecond at most 4.5 % off, and exactly below 12 ms', () => {
    for (let ms = 1; ms < 65_536; ms += ms < 2_000 ? 1 : 37) {
      const read = percentile(counted([ms]), 50) ?? 0
      expect(Math.abs(read - ms) / ms).toBeLessThan(ms < 12 ? 1e-9 : 0.045)
    }
  })

  test('percentiles are those of the latencies themselves, at most 4.5 % off', () => {
    const latencies = Array.from({ length: 5_000 }, (_, n) => 1 + Math.round((n * n) / 700))
    for (const percent of [1, 50, 95, 99, 100]) {
      const exact = latencies[Math.ceil((latencies.length * percent) / 100) - 1] ?? 0
      const read = percentile(counted(latencies), percent) ?? 0
      expect(Math.abs(read - exact) / exact).toBeLessThan(0.045)
    }
  })

  test('without any there is no percentile', () => {
    expect(percentile(counted([]), 95)).toBeNull()
  })
})
