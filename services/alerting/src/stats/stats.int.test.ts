import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { newId } from '@posthorn/domain/ids'
import { acceptEvents } from '@posthorn/store/pipeline/accept-events'
import { recordAttempts } from '@posthorn/store/pipeline/record-attempts'
import { foldAll } from '@posthorn/store/rollups/rollups.fixture'
import { acceptDirect, attemptOf, directEvent } from '@posthorn/store/store.fixture'
import { eventually } from '@posthorn/testing/eventually'
import { WebSocket } from 'ws'
import { type InsightsTenant, startTestInsights, type TestInsights } from '../insights.fixture.ts'

let server: TestInsights
let tenant: InsightsTenant
beforeAll(async () => {
  server = await startTestInsights({ recheckMs: 0, pingMs: 500 })
})
afterAll(async () => await server.close())
beforeEach(async () => {
  tenant = await server.addTenant()
})

const stream = () => server.insights.stream

interface Opened {
  socket: WebSocket
  frames: Record<string, unknown>[]
  /** The code of its close. */
  closed: Promise<number>
}

async function open(query = `?key=${tenant.key}`, headers = {}): Promise<Opened> {
  const url = `${server.url.replace('http', 'ws')}/api/v1/stats/ws${query}`
  const socket = new WebSocket(url, { headers })
  const frames: Record<string, unknown>[] = []
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return { socket, frames, closed }
}

/** The status with which the upgrade was refused, and the code in the answer. */
async function refusal(query: string, headers = {}): Promise<unknown[]> {
  const url = `${server.url.replace('http', 'ws')}/api/v1/stats/ws${query}`
  const socket = new WebSocket(url, { headers })
  return await new Promise((resolve, reject) => {
    socket.once('open', () => reject(new Error('it was let in')))
    socket.once('unexpected-response', (request, response) => {
      let text = ''
      response.on('data', (data: Buffer) => (text += data.toString()))
      response.once('end', () => {
        resolve([response.statusCode, JSON.parse(text).code])
        request.destroy()
      })
    })
  })
}

async function close({ socket, closed }: Opened): Promise<void> {
  socket.close()
  await closed
}

describe('stats', () => {
  test('count what waits, fails and is dead, and what was delivered', async () => {
    const works = await acceptDirect(server.pool, tenant, 5)
    const [one, two, three] = works
    if (one === undefined || two === undefined || three === undefined) throw new Error('none')
    await recordAttempts(server.pool, [
      attemptOf(one, { state: 'delivered' }),
      attemptOf(two, { state: 'waiting', afterMs: 60_000 }),
      attemptOf(three, { state: 'dead', reason: 'gone' }),
    ])
    await foldAll(server.pool)
    const { status, body } = await tenant.get('/stats')
    expect(status).toBe(200)
    expect(body).toEqual({
      queued: 2,
      delivering: 0,
      failed: 1,
      dead: 1,
      deliveredLastMinute: 1,
      eventsPerSecond: expect.any(Number),
      deliveriesPerSecond: expect.any(Number),
      oldestQueuedSeconds: 0,
      at: expect.any(String),
    })
  })

  test('stop counting at 10,000, and say so', async () => {
    await server.pool.query(
      `INSERT INTO parked (tenant_id, target_id, priority, seq, delivery_id, event_id, parked_at)
       SELECT $1, $2, 5, n, gen_random_uuid(), gen_random_uuid(), now() - interval '1 hour'
       FROM generate_series(1, 10100) n`,
      [tenant.tenantId, newId()],
    )
    const { body } = await tenant.get('/stats')
    expect(body).toMatchObject({ queued: 10_000, capped: true })
    expect(body.oldestQueuedSeconds).toBeGreaterThan(3_599)
  })
})

describe('the stream of stats', () => {
  test('sends each socket of a tenant the same, and never another tenant’s', async () => {
    await acceptEvents(server.pool, [directEvent(tenant), directEvent(tenant)])
    const [first, second] = [await open(), await open('', { 'X-API-Key': tenant.key })]
    tenant = await server.addTenant()
    const other = await open()
    await stream().sendAll()
    await eventually(() => [first, second, other].every(({ frames }) => frames.length === 1))
    expect(first.frames[0]).toMatchObject({ queued: 2 })
    expect(second.frames).toEqual(first.frames)
    expect(other.frames[0]).toMatchObject({ queued: 0 })
    for (const one of [first, second, other]) await close(one)
  })

  test('is refused in the upgrade', async () => {
    expect(await refusal('')).toEqual([401, 'UNAUTHORIZED'])
    expect(await refusal('?key=ph_live_nobodys')).toEqual([401, 'UNAUTHORIZED'])
    await server.pool.query(`UPDATE api_keys SET scopes = '{events:read}' WHERE id = $1`, [
      tenant.keyId,
    ])
    expect(await refusal(`?key=${tenant.key}`)).toEqual([403, 'FORBIDDEN'])
    const cookie = { Cookie: 'service_session=any' }
    expect(await refusal('', cookie)).toEqual([403, 'FORBIDDEN'])
    expect(await refusal('', { ...cookie, Origin: 'https://evil.example' })).toEqual([
      403,
      'FORBIDDEN',
    ])
    const own = { ...cookie, Origin: 'https://hooks.example.com' }
    expect(await refusal('', own)).toEqual([401, 'UNAUTHORIZED'])
  })

  test('is a WebSocket and nothing else', async () => {
    const { status, body } = await tenant.get('/stats/ws')
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  test('has at most twenty sockets for a tenant', async () => {
    const opened = await Promise.all(Array.from({ length: 20 }, () => open()))
    expect(await refusal(`?key=${tenant.key}`)).toEqual([429, 'RATE_LIMITED'])
    await close(opened.pop() as Opened)
    await eventually(async () => {
      const again = await open().catch(() => null)
      if (again === null) return false
      opened.push(again)
      return true
    })
    for (const one of opened) await close(one)
  })

  test('ends with its key', async () => {
    const revoked = await open()
    await stream().recheck()
    await server.pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [tenant.keyId])
    await eventually(async () => {
      await stream().recheck()
      return revoked.socket.readyState === WebSocket.CLOSED
    })
    expect(await revoked.closed).toBe(4401)
  })

  test('ends for a client that does not answer, and goes on for the others', async () => {
    const [silent, reader] = [await open(), await open()]
    silent.socket.pause()
    const startedAt = performance.now()
    // Two pings, and the round that finds the first one unanswered.
    await eventually(async () => {
      await stream().sendAll()
      return performance.now() - startedAt > 1_200
    })
    silent.socket.resume()
    expect(await silent.closed).toBe(4408)
    expect(reader.socket.readyState).toBe(WebSocket.OPEN)
    await close(reader)
  })
})
