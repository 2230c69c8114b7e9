/** The month's quota at the door of platforms. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { PLANS } from '@posthorn/domain/plans'
import { eventually } from '@posthorn/testing/eventually'
import { subscribe, useUp } from '@posthorn/testing/subscribe'
import { fromGitHub, startTestInbound, type TestInbound } from './inbound.fixture.ts'

let inbound: TestInbound
beforeAll(async () => {
  inbound = await startTestInbound()
})
afterAll(async () => {
  await inbound.close()
  expect(inbound.failures).toEqual([])
})

const LIMIT = PLANS.starter.limits.eventsPerMonth

test('a verified request over the quota is answered 402, and makes no event', async () => {
  const source = await inbound.addSource({ source: 'github' })
  await subscribe(inbound.pool, source.tenantId, 'starter')
  await useUp(inbound.pool, source.tenantId, LIMIT - 1)
  expect((await source.send(fromGitHub('{"n":1}'))).status).toBe(202)
  expect(await source.send(fromGitHub('{"n":2}'))).toMatchObject({
    status: 402,
    body: { code: 'QUOTA_EXCEEDED', details: { limit: LIMIT, used: LIMIT } },
  })
  expect(await source.events()).toMatchObject([{ source: 'inbound' }])
  await eventually(async () => {
    const { last_rejection_reason: reason } = await source.row()
    return reason === 'quota_exceeded'
  })
})

test('a request that is not verified is not told of the quota', async () => {
  const source = await inbound.addSource({ source: 'github' })
  await subscribe(inbound.pool, source.tenantId, 'starter')
  await useUp(inbound.pool, source.tenantId, LIMIT)
  expect((await source.send({ body: '{}' })).status).toBe(401)
})

test('without a quota nothing is asked, and what comes in counts', async () => {
  const source = await inbound.addSource({ source: 'github' })
  for (let n = 0; n < 3; n += 1)
    expect((await source.send(fromGitHub(JSON.stringify({ n })))).status).toBe(202)
  await inbound.usage.flush()
  const { rows } = await inbound.pool.query(
    'SELECT sum(events)::int AS events FROM usage_days WHERE tenant_id = $1',
    [source.tenantId],
  )
  expect(rows).toEqual([{ events: 3 }])
})
