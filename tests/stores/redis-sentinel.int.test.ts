/** Shared state in a Redis whose primary Sentinels name, and replace when it is gone. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createRedisState } from '@posthorn/state/redis-state'
import type { StateStore } from '@posthorn/state/state-store'
import { eventually } from '@posthorn/testing/eventually'
import { type RedisServers, startSentinels } from './redis-servers.ts'

let sentinels: RedisServers
let state: StateStore
beforeAll(async () => {
  sentinels = await startSentinels()
  const access = { url: sentinels.url, prefix: randomUUID() }
  state = await createRedisState(access, { onError: () => {} })
})
afterAll(async () => {
  await state.close()
  await sentinels.stop()
})

test('the replica that Sentinels promote is found without a restart', async () => {
  const claims = [{ key: 'a', ttlMs: 60_000 }]
  expect(await state.claim(claims)).toEqual([true])
  expect(await state.claim(claims)).toEqual([false])
  await sentinels.primaries[0]?.kill()
  expect(await state.claim(claims)).toEqual([null])
  await eventually(async () => (await state.claim([{ key: randomUUID(), ttlMs: 1_000 }]))[0], {
    timeoutMs: 40_000,
  })
  await eventually(async () => (await state.check()).ok)
})
