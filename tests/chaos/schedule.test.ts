import { expect, test } from '@jest/globals'
import { FAULTS, planRounds } from './schedule.ts'

const names = (rounds: ReturnType<typeof planRounds>) =>
  rounds.map(({ faults }) => faults.map(({ name }) => name).join('+'))

test('each fault of the mode comes alone first, then pairs; the same seed gives the same rounds', () => {
  const wanted = { mode: 'cluster', rounds: 60, seed: 7, only: [] } as const
  const rounds = planRounds(wanted)
  const own = FAULTS.filter(({ modes }) => modes.includes('cluster'))
  const alone = rounds.slice(0, own.length)
  expect(names(alone).sort()).toEqual(own.map(({ name }) => name).sort())
  expect(rounds.slice(own.length).every(({ faults }) => faults.length === 2)).toBe(true)
  expect(planRounds(wanted).map(({ seed }) => seed)).toEqual(rounds.map(({ seed }) => seed))
  expect(names(planRounds({ ...wanted, seed: 8 }))).not.toEqual(names(rounds))
})

test('a pair never affects the same part twice, and faults of the other mode are left out', () => {
  const only = ['kill-dispatcher', 'freeze-dispatcher', 'kafka-gone']
  const pairs = planRounds({ mode: 'cluster', rounds: 30, seed: 1, only }).slice(3)
  for (const { faults } of pairs) expect(faults.map(({ name }) => name)).toContain('kafka-gone')
  const standalone = planRounds({ mode: 'standalone', rounds: 1, seed: 1, only: [] })
  expect(standalone[0]?.faults.every(({ modes }) => modes.includes('standalone'))).toBe(true)
  expect(() => planRounds({ mode: 'cluster', rounds: 1, seed: 1, only: ['flood'] })).toThrow(
    /there is no fault flood; there are kill-ingest-api/,
  )
})
