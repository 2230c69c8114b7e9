/**
 * Eight writers post while processes are killed with -9 and started again. Every event that was
 * answered 201 arrives; a writer that got no answer asks again with the same key, as a sender
 * would.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import type { Receiver } from '@posthorn/testing/receiver'
import type { Posthorn } from './posthorn.ts'

const WRITERS = 8
/** Accepted between two deaths, so that each process dies with work in its hands. */
const BETWEEN_DEATHS = 150
/** What a sender waits before it asks again. */
const SENDER_RETRY_MS = 50

/** @param victims the services that die, one after the other; undefined is the whole */
export async function expectNothingLost(
  posthorn: Posthorn,
  receiver: Receiver,
  victims: readonly (string | undefined)[],
): Promise<void> {
  await posthorn.call('POST', '/api/v1/endpoints', {
    url: `${receiver.url}/typed`,
    eventTypes: ['load.*'],
  })
  const accepted = new Set<string>()
  let writing = true
  let refused = 0

  async function write(writer: number): Promise<void> {
    for (let n = 0; writing; n += 1) {
      const where =
        n % 2 === 0 ? { destination: `${receiver.url}/direct` } : { eventType: 'load.test' }
      const id = await post({ ...where, payload: { writer, n } }, `w${writer}-${n}`)
      if (id !== null) accepted.add(id)
    }
  }

  async function post(event: object, key: string): Promise<string | null> {
    while (writing) {
      const answer = await posthorn
        .call('POST', '/api/v1/events', event, { 'X-Idempotency-Key': key })
        .catch(() => null)
      if (answer?.status === 201) return answer.body.id as string
      // Accepted, and the answer was lost with the process: the key finds it.
      if (answer?.status === 409) return answer.body.details.eventId as string
      if (answer !== null && answer.status !== 503)
        throw new Error(`${answer.status} ${answer.text}`)
      refused += 1
      await pause(SENDER_RETRY_MS)
    }
    return null
  }

  async function more(): Promise<void> {
    const wanted = accepted.size + BETWEEN_DEATHS
    await eventually(() => accepted.size >= wanted, { timeoutMs: 60_000 })
  }

  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
  for (const victim of victims) {
    await more()
    await posthorn.kill(victim)
    if (victim === undefined) await posthorn.startAgain()
  }
  await more()
  writing = false
  await Promise.all(writers)

  expect(accepted.size).toBeGreaterThan(200)
  const missing = (): string[] => {
    const seen = new Set(
      receiver.requests.map((request) => String(request.headers['x-service-event-id'])),
    )
    return [...accepted].filter((id) => !seen.has(id))
  }
  await eventually(() => expect(missing()).toEqual([]), { timeoutMs: 60_000, everyMs: 250 })
  // And none is left hanging: each has ended, and says so.
  await eventually(
    async () => {
      for (const status of ['queued', 'delivering', 'failed']) {
        const { body } = await posthorn.call('GET', `/api/v1/events?status=${status}`)
        expect(body.data).toEqual([])
      }
    },
    { timeoutMs: 60_000, everyMs: 250 },
  )
  process.stderr.write(
    `${posthorn.mode}: ${accepted.size} accepted, 0 lost, ${receiver.requests.length - accepted.size} repeated, ${refused} refused\n`,
  )
}
