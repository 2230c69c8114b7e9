/**
 * The queries for API keys that senders can cause, before they have shown a valid key or with one
 * whose rate is limited.
 */
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { newApiKey } from '@posthorn/domain/api-key'
import { newId } from '@posthorn/domain/ids'
import { startTestIngest, type TestIngest } from './ingest.fixture.ts'

let ingest: TestIngest
const agent = new Agent({ keepAlive: true, maxSockets: 200 })
beforeAll(async () => {
  ingest = await startTestIngest()
})
afterAll(async () => {
  agent.destroy()
  await ingest.close()
})
beforeEach(() => {
  ingest.lookups.queries = 0
  ingest.lookups.most = 0
})

function get(headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: ingest.port, path: '/api/v1/events?limit=1', agent }
    const sent = request({ ...options, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function getMany(times: number, headers: () => Record<string, string>): Promise<number[]> {
  return await Promise.all(Array.from({ length: times }, () => get(headers())))
}

test('a key limited to one request a second causes no look-up per invented project', async () => {
  const { key } = await ingest.addTenant({ rateLimit: 1 })
  const headers = () => ({ 'X-API-Key': key, 'X-Project-ID': newId() })
  const startedAt = performance.now()
  const answers = await getMany(1_000, headers)
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000)
  expect(new Set(answers)).toEqual(new Set([404, 429]))
  // Each second has one query because the cached key has expired, and one for the request that the
  // rate limit allowed.
  expect(ingest.lookups.queries).toBeLessThanOrEqual(2 * seconds + 2)
})

test('a key without a limit makes at most one look-up at a time beside the one that is next', async () => {
  const { key } = await ingest.addTenant()
  const answers = await getMany(1_000, () => ({ 'X-API-Key': key, 'X-Project-ID': newId() }))
  expect(new Set(answers)).toEqual(new Set([404]))
  expect(ingest.lookups.most).toBeLessThanOrEqual(2)
  expect(ingest.lookups.queries).toBeLessThan(500)
})

test('a flood of invented keys causes no refusal of a valid one, cached or not', async () => {
  const [known, fresh] = [await ingest.addTenant(), await ingest.addTenant()]
  expect(await get({ 'X-API-Key': known.key })).toBe(200)
  ingest.lookups.queries = 0
  const forms = [() => newApiKey('production'), () => `made up ${newId()}`]
  const flood = forms.map((form) => getMany(2_000, () => ({ 'X-API-Key': form() })))
  const valid = Promise.all(
    [known, fresh].map(({ key }) => getMany(20, () => ({ 'X-API-Key': key }))),
  )
  expect(new Set((await valid).flat())).toEqual(new Set([200]))
  expect(new Set((await Promise.all(flood)).flat())).toEqual(new Set([401]))
  expect(ingest.lookups.most).toBeLessThanOrEqual(2)
  expect(ingest.lookups.queries).toBeLessThan(2_000)
}, 60_000)

test('a project that was just made is found with a key that is cached', async () => {
  const { tenantId, key } = await ingest.addTenant()
  expect(await get({ 'X-API-Key': key })).toBe(200)
  const projectId = await ingest.addProject(tenantId)
  expect(await get({ 'X-API-Key': key, 'X-Project-ID': projectId })).toBe(200)
})
