/**
 * Two instances on nothing but a Postgres, of which one stands by: the one that works is killed,
 * and is frozen until the other has taken over. Nothing is lost, out of order or stuck. In the long
 * form each fault of such a pair comes. Bounds of time are for `npm run chaos -- --mode standby`,
 * which has the machine to itself.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isLongForm } from '@posthorn/testing/long-form'
import { type LoadProcess, startLoad } from './load-process.ts'
import type { Target } from './load/protocol.ts'
import { type RoundForm, runRound } from './run-round.ts'
import { STANDBY_FAULTS } from './faults/standby-faults.ts'
import { createTargets } from './targets.ts'
import { type ProcessWatch, watchProcesses } from './watch.ts'
import { startWorld, type World } from './world.ts'

const NAMES = isLongForm
  ? STANDBY_FAULTS.map(({ name }) => name)
  : ['active-killed', 'active-frozen']
const ROUNDS = NAMES.map((name, at) => ({ name, number: at + 1 }))
const FORM: RoundForm = { name: 'quick', perSecond: 100, beforeMs: 2_000, afterMs: 2_000 }
const SEED = 20_261_121

let load: LoadProcess
let world: World
let targets: Target[]
let watch: ProcessWatch

beforeAll(async () => {
  load = await startLoad()
  world = await startWorld('standby', {
    sinkPort: load.port,
    withDisk: false,
    withProxies: isLongForm,
  })
  targets = await createTargets(world)
  watch = watchProcesses(world)
}, 180_000)

afterAll(async () => {
  await watch?.stop()
  await world?.stop()
  await load?.stop()
}, 60_000)

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
    const round = { number, faults, seed: SEED }
    const result = await runRound(round, { world, load, targets, watch, form: FORM })
    const { lost, outOfOrder, problems } = result
    expect({ lost, outOfOrder, problems }).toEqual({ lost: 0, outOfOrder: 0, problems: [] })
    expect(result.accepted).toBeGreaterThan(100)
  },
  240_000,
)
