/** Shared state in a Redis Cluster of three nodes. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { askRedis } from '@posthorn/local-stores/redis-server'
import { controlsConformance } from '@posthorn/state/controls.conformance'
import { diagnoseRedis } from '@posthorn/state/diagnose-redis'
import { createRedisState } from '@posthorn/state/redis-state'
import { LONG_TIMEOUT, stateConformance } from '@posthorn/state/state.conformance'
import { eventually } from '@posthorn/testing/eventually'
import { portOf, type RedisServers, startRedisCluster } from './redis-servers.ts'

let cluster: RedisServers
beforeAll(async () => {
  cluster = await startRedisCluster()
})
afterAll(() => cluster.stop())

function rejectErrors(error: unknown, doing: string): never {
  throw new Error(doing, { cause: error })
}

const makeState = () =>
  createRedisState(
    { url: cluster.url, prefix: randomUUID(), ...LONG_TIMEOUT },
    { onError: rejectErrors },
  )
stateConformance('a Redis Cluster', makeState)
controlsConformance('a Redis Cluster', makeState)

test('a batch of claims is spread over all nodes, and each is granted once', async () => {
  const [one, other] = [await makeState(), await makeState()]
  const claims = Array.from({ length: 300 }, () => ({ key: randomUUID(), ttlMs: 60_000 }))
  expect(await one.claim(claims)).toEqual(claims.map(() => true))
  expect(await one.claim(claims.toReversed())).toEqual(claims.map(() => false))
  for (const primary of cluster.primaries) {
    const kept = Number(/:(\d+)/.exec(await askRedis(portOf(primary), 'DBSIZE'))?.[1])
    expect(kept).toBeGreaterThan(30)
  }
  await Promise.all([one.close(), other.close()])
})

test('a node that is gone leaves claims undecided, and comes back by itself', async () => {
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const state = await createRedisState({ url: cluster.url, prefix: randomUUID() }, { onError })
  const claims = Array.from({ length: 100 }, () => ({ key: randomUUID(), ttlMs: 60_000 }))
  expect(await state.claim(claims)).toEqual(claims.map(() => true))
  const [node] = cluster.primaries
  await node?.kill()
  expect(await state.claim(claims)).toEqual(claims.map(() => null))
  expect(errors.length).toBeGreaterThan(0)
  await node?.restart()
  await eventually(
    async () => {
      const answers = await state.claim(claims)
      return answers.every((granted) => granted === false)
    },
    { timeoutMs: 30_000 },
  )
  await state.close()
})

test('it is told from one server', async () => {
  const textsOf = async (url: string): Promise<string[]> =>
    (await diagnoseRedis({ url }, Date.now))
      .filter(({ level }) => level === 'wrong')
      .map(({ text }) => text)
  expect(await textsOf(cluster.url)).toEqual([])
  const [one = ''] = cluster.primaries.map((server) => server.url)
  expect(await textsOf(one)).toContainEqual(expect.stringContaining('it is a Cluster'))
})
