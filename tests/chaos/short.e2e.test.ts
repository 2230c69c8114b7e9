/**
 * Short rounds of the chaos runs: four deaths under load, two at a time, and after each round
 * nothing is lost, out of order or stuck. In the long form each of them comes alone as well. Bounds
 * of time are for `npm run chaos`, which has the machine to itself.
 */
import { expect, test } from '@jest/globals'
import { isLongForm } from '@posthorn/testing/long-form'
import { FAULTS } from './schedule.ts'
import { passRound, ROUND_TIMEOUT_MS, useWorld } from './short-rounds.fixture.ts'

const PAIRS = [
  ['kill-dispatcher', 'redis-flushed'],
  ['postgres-stopped', 'kafka-killed'],
]
const ROUNDS = (isLongForm ? [...PAIRS.flat().map((name) => [name]), ...PAIRS] : PAIRS).map(
  (names, at) => ({ names, title: names.join(' and '), number: at + 1 }),
)

useWorld('cluster', { withProxies: true })

test.each(ROUNDS)(
  'nothing is lost, out of order or stuck: $title',
  async ({ names, number }) => {
    const faults = FAULTS.filter(({ name }) => names.includes(name))
    expect(faults).toHaveLength(names.length)
    await passRound(number, faults)
  },
  ROUND_TIMEOUT_MS,
)
