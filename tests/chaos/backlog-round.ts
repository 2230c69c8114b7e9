/**
 * The round for memory: endpoints refuse connections until many events wait, then accept all of
 * them. Nothing else is disturbed. No process may keep in memory what Postgres keeps.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@posthorn/testing/eventually'
import type { RoundContext } from './run-round.ts'
import { proxiesOf } from './world.ts'
import type { RoundResult } from './evaluate-round.ts'

const BATCH = 100
const AT_ONCE = 8
const MEMORY_MB = 400
const DRAIN_MS = 900_000

export async function fillBacklog(size: number, scene: RoundContext): Promise<RoundResult> {
  const { world, watch } = scene
  watch.reset()
  await proxiesOf(world).enable('endpoints', false)
  const destinations = Array.from(
    { length: 50 },
    (_, at) => `http://127.0.0.1:${world.endpointPort}/backlog-${at}`,
  )
  let posted = 0
  let accepted = 0
  const problems: string[] = []
  async function post(): Promise<void> {
    while (posted < size) {
      const from = posted
      posted += BATCH
      const events = Array.from({ length: BATCH }, (_, at) => ({
        idempotencyKey: `backlog-${from + at}`,
        destination: destinations[(from + at) % destinations.length],
        payload: { lane: 0, n: from + at, pad: 'x'.repeat(200) },
        maxAttempts: 25,
      }))
      const { status, body } = await world.call('POST', '/api/v1/events/batch', { events })
      if (status === 201) accepted += BATCH
      else problems.push(`a batch was refused: ${status} ${JSON.stringify(body).slice(0, 200)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, post))
  // Some deliveries are attempted, fail and wait meanwhile, so the dispatchers have met the whole
  // backlog.
  await pause(5_000)
  const filled = Math.max(...Object.values(watch.peakMemoryMb()))
  await proxiesOf(world).enable('endpoints', true)
  const openedAt = Date.now()
  await eventually(async () => (await countOpen(scene)) === 0, {
    timeoutMs: DRAIN_MS,
    everyMs: 1_000,
  })
  const { rows } = await world.pool.query<{ ended: number; dead: number }>(
    `SELECT count(*) FILTER (WHERE ended_at IS NOT NULL)::int AS ended,
       count(*) FILTER (WHERE dead_count > 0)::int AS dead
     FROM events WHERE idempotency_key LIKE 'backlog-%'`,
  )
  const { ended = 0, dead = 0 } = rows[0] ?? {}
  if (ended < accepted) problems.push(`${accepted - ended} have not ended`)
  const memory = watch.peakMemoryMb()
  for (const [name, megabytes] of Object.entries(memory))
    if (megabytes > MEMORY_MB) problems.push(`${name} took ${megabytes} MB`)
  return {
    number: 0,
    faults: `a backlog of ${size}`,
    detail: `most memory when filled: ${filled} MB; ${dead} dead; repeats are not counted`,
    mode: world.mode,
    form: scene.form.name,
    perSecond: 0,
    seed: 0,
    accepted,
    refused: 0,
    lost: Math.max(0, accepted - ended),
    repeated: 0,
    outOfOrder: 0,
    acceptGapMs: 0,
    arrivalGapMs: 0,
    slowestAnswerMs: 0,
    healMs: Date.now() - openedAt,
    healMsBy: {},
    memoryMb: Math.max(...Object.values(memory)),
    problems: [...problems, ...watch.problems],
  }
}

/** Counts what is in `due` or parked. Both are empty when everything has ended. */
async function countOpen({ world }: RoundContext): Promise<number> {
  const { rows } = await world.pool.query<{ open: string }>(
    'SELECT (SELECT count(*) FROM due) + (SELECT count(*) FROM parked) AS open',
  )
  return Number(rows[0]?.open)
}
