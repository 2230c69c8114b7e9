/** A target that is down is left alone, and delays nobody else. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { NOTIFICATION, startSending, type TestSending } from './sending.fixture.ts'

let on: TestSending
beforeAll(async () => {
  on = await startSending()
})
afterEach(() => on.reset())
afterAll(async () => await on.close())

describe('a target that is down', () => {
  const failing = async () => {
    on.receiver.answer({ status: 503 })
    const made = on.sender({ breaker: { failures: 2, pauseMs: 2_000 } }, { now: Date.now })
    const first = await on.send(on.targetOf('slack'), made)
    const second = await on.send(on.targetOf('slack'), made)
    expect([first.statusCode, second.statusCode]).toEqual([503, 503])
    return made
  }

  test('is left alone for a while, and asked again', async () => {
    const made = await failing()
    const before = on.receiver.requests.length
    const putOff = await on.send(on.targetOf('slack'), made)
    expect(putOff).toMatchObject({ outcome: 'retry', statusCode: null })
    expect(putOff.retryAfterMs).toBeGreaterThanOrEqual(1_000)
    expect(on.receiver.requests).toHaveLength(before)
    expect(made.breakers()).toEqual({ breakers: 1, open: 1 })
    on.receiver.answer({ body: 'ok' })
    await eventually(async () => {
      expect(await on.send(on.targetOf('slack'), made)).toMatchObject({ outcome: 'sent' })
    })
    expect(made.breakers().open).toBe(0)
  })

  test('delays no other target and no other tenant', async () => {
    const made = await failing()
    on.receiver.answer({ body: 'ok' })
    const options = { timeoutMs: 10_000, tenantId: 'tenant-2' }
    expect(await made.send(on.targetOf('slack'), NOTIFICATION, options)).toMatchObject({
      outcome: 'sent',
    })
    expect(await on.send(on.email({}), made)).toMatchObject({ outcome: 'sent' })
  })

  test('what it refuses, or has too much of, opens nothing', async () => {
    const made = on.sender({ breaker: { failures: 2 } })
    for (const status of [404, 404, 404, 429, 429, 429]) {
      on.receiver.answer({ status })
      expect(await on.send(on.targetOf('webhook'), made)).toMatchObject({ statusCode: status })
    }
  })

  test('a hanging one ends at its deadline', async () => {
    on.receiver.answer({ delayMs: 60_000 })
    const options = { timeoutMs: 200, tenantId: 'tenant-1' }
    const result = await on.sender().send(on.targetOf('slack'), NOTIFICATION, options)
    expect(result).toMatchObject({ outcome: 'retry', error: 'no answer within 200 ms' })
  })

  test('breakers are bounded in number', async () => {
    const made = on.sender({ breaker: { maxBreakers: 3 } })
    on.receiver.answer({ body: 'ok' })
    for (let tenant = 0; tenant < 10; tenant++) {
      await made.send(on.targetOf('slack'), NOTIFICATION, {
        timeoutMs: 10_000,
        tenantId: `t${tenant}`,
      })
    }
    expect(made.breakers().breakers).toBe(3)
  })
})
