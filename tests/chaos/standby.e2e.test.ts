/**
 * Two instances on nothing but a Postgres, of which one stands by: the one that works is killed,
 * and is frozen until the other has taken over. Nothing is lost, out of order or stuck. In the long
 * form each fault of such a pair comes. Bounds of time are for `npm run chaos -- --mode standby`,
 * which has the machine to itself.
 */
import { expect, test } from '@jest/globals'
import { isLongForm } from '@posthorn/testing/long-form'
import { STANDBY_FAULTS } from './faults/standby-faults.ts'
import { passRound, ROUND_TIMEOUT_MS, useWorld, world } from './short-rounds.fixture.ts'

const NAMES = isLongForm
  ? STANDBY_FAULTS.map(({ name }) => name)
  : ['active-killed', 'active-frozen']
const ROUNDS = NAMES.map((name, at) => ({ name, number: at + 1 }))

useWorld('standby', { withProxies: isLongForm })

test('who waits is alive, not ready, and says why; everything else there is 503', async () => {
  const answers = await Promise.all(
    world.processes.map(async ({ port }) => {
      const get = async (path: string) => await fetch(`http://127.0.0.1:${port}${path}`)
      const [live, ready, health] = await Promise.all(['/live', '/ready', '/health'].map(get))
      return { get, live: live?.status, ready, health: health?.status }
    }),
  )
  for (const { live, health } of answers) expect([live, health]).toEqual([200, 200])
  const [waiting, ...others] = answers.filter(({ ready }) => ready?.status === 503)
  expect(others).toEqual([])
  const reason = 'another instance works on the database'
  expect(await waiting?.ready?.json()).toEqual({ status: 'not ready', reason })
  const refused = await waiting?.get('/api/v1/events')
  expect([refused?.status, refused?.headers.get('Retry-After')]).toEqual([503, '1'])
  expect(await refused?.json()).toEqual({ error: reason, code: 'UNAVAILABLE' })
})

test.each(ROUNDS)(
  'another takes over, and nothing is lost, out of order or stuck: $name',
  async ({ name, number }) => {
    const faults = STANDBY_FAULTS.filter((fault) => fault.name === name)
    expect(faults).toHaveLength(1)
    await passRound(number, faults)
  },
  ROUND_TIMEOUT_MS,
)
