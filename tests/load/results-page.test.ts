import { expect, test } from '@jest/globals'
import type { RowResult } from './results.ts'
import { resultsPage } from './results-page.ts'

const row = (given: Partial<RowResult>): RowResult => ({
  at: '2026-01-02T03:04:05.000Z',
  commit: 'abc',
  runs: 5,
  spoiled: 0,
  figures: {},
  costs: {},
  ...given,
})

test('the page names the machine, the commit, the spoiled runs, figures and costs', () => {
  const page = resultsPage({
    machine: { processors: 2, model: 'Some CPU', memoryGiB: 24 },
    versions: { Node: '24.1' },
    rows: {
      standalone: {
        '1': row({
          spoiled: 2,
          figures: { 'direct.perSecond': 3_000 },
          costs: { 'WAL bytes per event': 2_200 },
        }),
      },
      cluster: {},
    },
  })
  expect(page).toContain('2 x Some CPU, 24 GiB; Node 24.1')
  expect(page).toContain(
    'Measured 2026-01-02 at abc.\nSpoiled runs of rows: `standalone` 2 of 5; cluster 0 of 0.',
  )
  expect(page).toContain('| **3,000** (4,000) | – |')
  expect(page).toContain('Direct events, row 1:')
  expect(page).toContain('| WAL bytes per event | 2,200 | – |')
  expect(page).not.toContain('row 14:')
})
