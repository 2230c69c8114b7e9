import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createEventLoop, type FetchedEvent, type Forwarded } from './event-loop.ts'

const event = (id: string): FetchedEvent => ({ id, eventType: null, payload: '{}', headers: {} })
const accepted: Forwarded = { outcome: 'accepted', statusCode: 200, durationMs: 1 }
const refused: Forwarded = { outcome: 'refused', statusCode: 500, durationMs: 1 }
const unreachable: Forwarded = { outcome: 'unreachable', error: 'refused', durationMs: 1 }

/** An installation and an application, in which all waiting takes no time. */
function play(
  batches: string[][],
  answers: Readonly<Record<string, Forwarded[]>>,
  isOrdered: boolean,
) {
  const stop = new AbortController()
  const forwarded: string[] = []
  const acknowledged: string[] = []
  const fetchedBefore: number[] = []
  const left = structuredClone(answers) as Record<string, Forwarded[]>
  const run = createEventLoop(
    { concurrency: 4, isOrdered },
    {
      async receive() {
        // An answer comes later than what the application says to requests that are under way.
        await new Promise((done) => setImmediate(done))
        fetchedBefore.push(forwarded.length)
        const batch = batches.shift()
        if (batch === undefined) stop.abort()
        return (batch ?? []).map(event)
      },
      async forward({ id }) {
        forwarded.push(id)
        return left[id]?.shift() ?? accepted
      },
      acknowledge: async (id) => void acknowledged.push(id),
      report: () => {},
      pause: async () => {},
    },
  )
  return run(stop.signal).then(() => ({ forwarded, acknowledged, fetchedBefore }))
}

test('what is refused is not acknowledged, and is left to the installation', async () => {
  const { forwarded, acknowledged } = await play([['a', 'b'], ['a']], { a: [refused] }, false)
  expect(forwarded).toEqual(['a', 'b', 'a'])
  expect(acknowledged).toEqual(['b', 'a'])
})

test('nothing more is fetched while the application is not there', async () => {
  const down = { a: [unreachable, unreachable, unreachable] }
  const { forwarded, acknowledged, fetchedBefore } = await play([['a'], ['b']], down, false)
  expect(forwarded).toEqual(['a', 'a', 'a', 'a', 'b'])
  expect(acknowledged).toEqual(['a', 'b'])
  expect(fetchedBefore[2]).toBeGreaterThanOrEqual(4)
})

test('in order, whatever is answered, nothing overtakes an event that was not accepted', async () => {
  const failures = fc.array(fc.constantFrom(refused, unreachable), { maxLength: 3 })
  const ids = ['a', 'b', 'c', 'd', 'e']
  await fc.assert(
    fc.asyncProperty(fc.tuple(...ids.map(() => failures)), async (all) => {
      const answers = Object.fromEntries(ids.map((id, at) => [id, all[at] ?? []]))
      const batches = [ids.slice(0, 3), ids.slice(3)]
      const { forwarded, acknowledged } = await play(batches, answers, true)
      expect(forwarded).toEqual(ids.flatMap((id, at) => [...(all[at] ?? []).map(() => id), id]))
      expect(acknowledged).toEqual(ids)
    }),
  )
})

test('an event that comes again while it is under way is forwarded once', async () => {
  const stop = new AbortController()
  const forwarded: string[] = []
  let answer = (): void => {}
  let fetches = 0
  const run = createEventLoop(
    { concurrency: 4, isOrdered: false },
    {
      async receive() {
        fetches += 1
        if (fetches === 3) {
          stop.abort()
          answer()
        }
        return [event('a')]
      },
      async forward({ id }) {
        forwarded.push(id)
        await new Promise<void>((done) => (answer = done))
        return accepted
      },
      acknowledge: async () => {},
      report: () => {},
      pause: async () => {},
    },
  )
  await run(stop.signal)
  expect(forwarded).toEqual(['a'])
})
