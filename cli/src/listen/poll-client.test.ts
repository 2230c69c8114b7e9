import { expect, test } from '@jest/globals'
import { PosthornApiError, PosthornConnectionError } from '../../../sdks/node/src/posthorn-node.ts'
import { createPollClient, type PollClientDeps } from './poll-client.ts'

const lost = new PosthornConnectionError('the API did not answer')
const answered = (status: number, retryAfterMs?: number): PosthornApiError =>
  new PosthornApiError('no', {
    status,
    code: 'CODE',
    details: undefined,
    requestId: undefined,
    retryAfterMs,
  })
const polled = (id: string) => ({
  events: [{ id, eventType: 'a', payload: '{}', headers: {}, createdAt: '' }],
  count: 1,
})

/** An installation that gives one answer after the other; an error is thrown. */
function open(polls: unknown[], acks: unknown[] = []) {
  const paused: number[] = []
  const told: string[] = []
  const acknowledged: string[][] = []
  let renewals = 0
  const next = async (answers: unknown[]): Promise<never> => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer as never
  }
  const posthorn = {
    poll: {
      receive: () => next(polls),
      async ack({ event_ids: ids }: { event_ids: string[] }) {
        acknowledged.push(ids)
        return await next(acks)
      },
    },
  } as unknown as PollClientDeps['posthorn']
  const stop = new AbortController()
  const client = createPollClient({
    posthorn,
    endpointId: () => 'endpoint',
    renew: async () => void (renewals += 1),
    status: (line) => told.push(line),
    pause: async (ms) => void paused.push(ms),
    signal: stop.signal,
  })
  return { client, paused, told, acknowledged, stop, renewals: () => renewals }
}

test('a poll goes on until it is answered, with longer pauses, and says so once', async () => {
  const { client, paused, told, stop } = open([lost, lost, answered(429, 9_000), polled('e')])
  expect(await client.receive(8, stop.signal)).toEqual([
    { id: 'e', eventType: 'a', payload: '{}', headers: {} },
  ])
  expect(paused).toEqual([250, 500, 9_000])
  expect(told).toEqual([expect.stringContaining('lost the connection'), 'connected again'])
})

test('a refusal ends it, and an endpoint that is gone is made again', async () => {
  const refused = open([answered(403)])
  await expect(refused.client.receive(8, refused.stop.signal)).rejects.toMatchObject({
    status: 403,
  })
  const gone = open([answered(404)])
  expect(await gone.client.receive(8, gone.stop.signal)).toEqual([])
  expect(gone.renewals()).toBe(1)
})

test('acknowledgements that come at once share a request, and are sent until they are taken', async () => {
  const taken = { acknowledged: [], notFound: [] }
  const { client, acknowledged, paused } = open([], [lost, taken, { ...taken, notFound: ['c'] }])
  await Promise.all(['a', 'b', 'c'].map((id) => client.acknowledge(id)))
  expect(acknowledged).toEqual([['a'], ['a'], ['b', 'c']])
  expect(paused).toEqual([250])
})
