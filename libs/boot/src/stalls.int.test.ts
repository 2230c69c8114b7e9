/**
 * Work is marked where it begins, a route with its tenant and request, a topic with its tenant, and
 * the stall watch sees both.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createInProcessBus } from '@posthorn/bus/in-process-bus'
import { createErrorAnswerer } from '@posthorn/http/errors'
import { createHttpServer, type HttpServer } from '@posthorn/http/http-server'
import { createRawRouter } from '@posthorn/http/raw-router'
import { markWork } from '@posthorn/async/current-work'
import { createStallWatch } from '@posthorn/runtime/stall-watch'
import { eventually } from '@posthorn/testing/eventually'

const told: Record<string, unknown>[] = []
const observed: { name: string; at: string }[] = []
const watch = createStallWatch({
  log: { warn: (_name, fields) => void told.push(fields ?? {}) },
  metrics: {
    observe: (name, labels) => void observed.push({ name, at: (labels as { at: string }).at }),
  },
})
/** The watch looks once a second. */
const LOOKED_MS = 2_000
let server: HttpServer
let port: number

/** Measured in processor time, so that it is no shorter on a busy machine. */
function spin(ms: number): void {
  const began = process.threadCpuUsage().user
  while (process.threadCpuUsage().user - began < ms * 1_000);
}

beforeAll(async () => {
  const router = createRawRouter(
    { name: 'receive', path: '/raw/', methods: ['POST'], maxBodyBytes: 1_024 },
    async (request) => {
      // Marked after it waited, as for a look-up: the tenant is known only then.
      await nextRound()
      request.belongsTo('tenant-1')
      if (request.segment === 'spins') spin(150)
      return { status: 200, headers: {}, body: '' }
    },
  )
  server = createHttpServer({
    routers: [router],
    routes: [{ method: 'POST', path: '/raw/:one' }],
    operations: {
      isReady: () => true,
      health: async () => ({ ok: true, checks: [] }),
      metrics: async () => ({ contentType: 'text/plain', body: '' }),
    },
    document: () => ({}),
    answerError: createErrorAnswerer({ isUnavailable: () => false, log: { error: () => {} } }),
    onWork: markWork,
    observe: () => undefined,
  })
  port = await server.listen('127.0.0.1', 0)
  await watch.start?.()
})
afterAll(async () => {
  await watch.stop?.(0)
  await server.close(1_000)
})
beforeEach(() => {
  told.length = 0
  observed.length = 0
})

async function post(segment: string, requestId: string): Promise<void> {
  const headers = { 'X-Request-Id': requestId, Connection: 'close' }
  await fetch(`http://127.0.0.1:${port}/raw/${segment}`, { method: 'POST', headers, body: 'x' })
}

test('a route that spins is told with its tenant and request, and one beside it is not', async () => {
  // Tried more than once, because on a starved machine a round may be reported as `off-cpu`, and
  // what is beside it may get no processor for as long.
  await eventually(async () => {
    told.length = 0
    await Promise.all([post('spins', 'slow-1'), post('short', 'short-1')])
    const stall = await eventually(() => told.find(({ at }) => at === 'receive') ?? false, {
      timeoutMs: LOOKED_MS,
    })
    expect(stall).toMatchObject({ tenantId: 'tenant-1', requestId: 'slow-1' })
    expect((stall as Record<string, unknown>)['seconds']).toBeGreaterThanOrEqual(0.14)
    expect(told.map(({ requestId }) => requestId)).not.toContain('short-1')
  })
  expect(observed).toContainEqual({ name: 'posthorn_stall_seconds', at: 'receive' })
})

test('a consumer that spins is told by its topic and the tenant of its message', async () => {
  const bus = createInProcessBus(
    {},
    {
      onPoison: () => undefined,
      onFatal: () => undefined,
      onError: () => undefined,
      onHandOver: (topic, tenantId) => markWork(topic, tenantId),
    },
  )
  const reader = await bus.subscribe({
    group: 'test',
    topics: ['config.changed'],
    maxInFlight: 10,
    onMessages: (_topic, messages) => {
      spin(150)
      for (const { done } of messages) done()
    },
  })
  bus.announce('config.changed', [{ v: 1, tenantId: 'tenant-2' } as never])
  await eventually(() =>
    expect(told.find(({ at }) => at === 'config.changed')).toMatchObject({ tenantId: 'tenant-2' }),
  )
  await reader.stop()
  await bus.close(100)
})
