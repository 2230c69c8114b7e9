import { expect, test } from '@jest/globals'
import type { Condition } from '@posthorn/domain/filter'
import { shortestOfLongestTurnsMs } from '@posthorn/testing/longest-turn'
import { type Candidates, indexSubscriptions, type Subscription } from './match-endpoints.ts'

const LARGE: Condition[] = [{ field: '$.amount', operator: 'gte', value: 100 }]

function subscription(endpointId: string, more: Partial<Subscription> = {}): Subscription {
  return {
    endpointId,
    projectId: 'p',
    eventTypes: ['order.*'],
    filter: null,
    fifo: false,
    fifoPartitionKey: null,
    ...more,
  }
}

/** The index, whose `find` runs to its end. */
async function index(all: readonly Subscription[]) {
  const subscriptions = await indexSubscriptions(all)
  let steps = 0
  function find(projectId: string, eventType: string): Candidates {
    const finding = subscriptions.find(projectId, eventType)
    for (;;) {
      const step = finding.next()
      if (step.done === true) return step.value
      steps += 1
    }
  }
  return {
    hasLanes: subscriptions.hasLanes,
    named: (projectId: string, ids: readonly string[]) => subscriptions.named(projectId, ids),
    find,
    steps: () => steps,
  }
}

test('an event goes to the endpoints of its project that subscribe to its type, in order', async () => {
  const { find } = await index([
    subscription('b'),
    subscription('other project', { projectId: 'q' }),
    subscription('other type', { eventTypes: ['user.*'] }),
    subscription('a', { eventTypes: ['user.*', '*'] }),
  ])
  expect(find('p', 'order.paid')).toEqual({ endpointIds: ['b', 'a'], filters: null, lanes: null })
  expect(find('p', 'none')).toEqual({ endpointIds: ['a'], filters: null, lanes: null })
  expect(find('r', 'order.paid')).toEqual({ endpointIds: [], filters: null, lanes: null })
  expect(find('p', 'order.paid')).toBe(find('p', 'order.paid'))
})

test('endpoints that name the type in full are in order among those with patterns', async () => {
  const { find } = await index([
    subscription('c', { eventTypes: ['order.paid', 'order.paid'] }),
    subscription('b'),
    subscription('other project', { projectId: 'q', eventTypes: ['order.paid'] }),
    subscription('a', { eventTypes: ['order.paid', 'user.new'] }),
    subscription('both', { eventTypes: ['order.paid', 'order.*'] }),
  ])
  expect(find('p', 'order.paid').endpointIds).toEqual(['c', 'b', 'a', 'both'])
  expect(find('p', 'user.new').endpointIds).toEqual(['a'])
  expect(find('q', 'order.paid').endpointIds).toEqual(['other project'])
})

test('filters have the order of their endpoints, and are there only if any endpoint has one', async () => {
  const { find } = await index([
    subscription('all'),
    subscription('large', { filter: LARGE }),
    subscription('empty', { filter: [] }),
    subscription('user', { eventTypes: ['user.*'] }),
  ])
  expect(find('p', 'order.paid')).toEqual({
    endpointIds: ['all', 'large', 'empty'],
    filters: [null, expect.any(Function), null],
    lanes: null,
  })
  expect(find('p', 'user.new').filters).toBeNull()
})

test('endpoints that an event names get it whatever they subscribe to, with their filters and lanes', async () => {
  const { named } = await index([
    subscription('plain', { eventTypes: ['user.*'] }),
    subscription('other project', { projectId: 'q', eventTypes: [] }),
    subscription('large', { filter: LARGE, fifo: true }),
    subscription('not named'),
  ])
  const candidates = named('p', ['large', 'gone', 'other project', 'plain', 'plain'])
  expect(candidates.endpointIds).toEqual(['plain', 'large'])
  expect(candidates.filters).toEqual([null, expect.any(Function)])
  expect([...(candidates.lanes?.keys() ?? [])]).toEqual(['large'])
  expect(named('p', ['gone'])).toEqual({ endpointIds: [], filters: null, lanes: null })
})

test('few endpoints are found as many are, each type once', async () => {
  const few = [
    subscription('b'),
    subscription('a', { eventTypes: ['order.paid', '*.paid'] }),
    subscription('other project', { projectId: 'q', eventTypes: ['order.paid'] }),
    subscription('service', { eventTypes: ['service.*'] }),
  ]
  const others = Array.from({ length: 20 }, (_, n) =>
    subscription(`other ${n}`, { projectId: 'r', eventTypes: ['user.new'] }),
  )
  const small = await index(few)
  const large = await index([...few, ...others])
  for (const project of ['p', 'q', 's'])
    for (const type of ['order.paid', 'order.sent', 'service.event.dead', 'x.paid', 'order.paid']) {
      expect(small.find(project, type)).toEqual(large.find(project, type))
      expect(small.find(project, type)).toBe(small.find(project, type))
    }
  expect(small.find('p', 'order.paid').endpointIds).toEqual(['b', 'a'])
})

// A map of half a million keys is copied as a whole when it grows: 50 ms.
test('a million names of types are indexed with 25 ms of the event loop at a time', async () => {
  const all = Array.from({ length: 10_000 }, (_, place) =>
    subscription(`e${place}`, {
      eventTypes: ['shared', ...Array.from({ length: 99 }, (_, n) => `own.${place}.${n}`)],
    }),
  )
  const longest = await shortestOfLongestTurnsMs(
    4,
    (ms) => ms < 25,
    () => indexSubscriptions(all),
  )
  expect(longest).toBeLessThan(25)
  const { find } = await index(all)
  expect(find('p', 'shared').endpointIds).toEqual(all.map(({ endpointId }) => endpointId))
  for (const place of [0, 5_000, 9_999])
    expect(find('p', `own.${place}.98`).endpointIds).toEqual([`e${place}`])
})

test('the memo is cleared when it is too large, and filled again', async () => {
  const { find } = await index([subscription('a')])
  const first = find('p', 'order.0')
  for (let n = 1; n <= 50_000; n += 1) find('p', `order.${n}`)
  expect(find('p', 'order.0')).not.toBe(first)
  expect(find('p', 'order.0')).toEqual(first)
})

test('FIFO endpoints choose the lane, and only a partition key needs the parsed payload', async () => {
  const { find, hasLanes } = await index([
    subscription('plain'),
    subscription('fifo', { fifo: true }),
    subscription('by customer', { fifo: true, fifoPartitionKey: '$.customer' }),
    subscription('other project', { projectId: 'q' }),
  ])
  expect(hasLanes).toBe(true)
  expect(find('q', 'order.paid').lanes).toBeNull()
  const { lanes } = find('p', 'order.paid')
  expect([...(lanes?.keys() ?? [])]).toEqual(['fifo', 'by customer'])
  const unread = (): never => {
    throw new Error('it was parsed')
  }
  expect(lanes?.get('fifo')?.(unread)).toBe('')
  expect(lanes?.get('by customer')?.(() => ({ customer: 7 }))).toBe('7')
  expect(lanes?.get('by customer')?.(() => ({}))).toBe('missing')
  expect((await index([subscription('plain')])).hasLanes).toBe(false)
})

test('very many patterns are looked through in steps, and once for a type', async () => {
  const eventTypes = Array.from({ length: 100 }, (_, n) => `*a*b*${n}`)
  const { find, steps } = await index(
    Array.from({ length: 500 }, (_, n) => subscription(`e${n}`, { eventTypes })),
  )
  expect(find('p', 'a.b.99').endpointIds).toHaveLength(500)
  expect(steps()).toBe(50)
  find('p', 'a.b.99')
  expect(steps()).toBe(50)
})
