/** What a newcomer does: start it, paste the line that it prints, look at the receiver; stop it, kill it, start it again. */
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type Posthorn, startPosthorn } from './posthorn.ts'

const run = promisify(execFile)
let posthorn: Posthorn

beforeAll(async () => {
  posthorn = await startPosthorn('standalone', { EGRESS_ALLOW_CIDRS: '' })
}, 150_000)

afterAll(async () => await posthorn.stop(), 60_000)

function printedLine(): string {
  return (
    posthorn
      .output()
      .split('\n')
      .findLast((line) => line.startsWith('curl ')) ?? ''
  )
}

test('the printed line delivers a signed event to the built-in receiver, which shows it, verified', async () => {
  await eventually(() => expect(printedLine()).not.toBe(''))
  const { stdout } = await run('bash', ['-c', printedLine()])
  const { id } = JSON.parse(stdout) as { id: string }
  await eventually(async () => {
    const { body } = await posthorn.call('GET', '/receiver/demo')
    expect(body.requests).toHaveLength(1)
    expect(body.requests[0]).toMatchObject({
      method: 'POST',
      body: '{"hello":"world"}',
      verified: true,
    })
    expect(body.requests[0].headers['x-service-event-id']).toBe(id)
  })
  const page = await posthorn.call('GET', '/receiver/demo', undefined, { Accept: 'text/html' })
  expect(page.text).toContain('signature verified')
})

test('the receiver answers as it is asked to, and other loopback addresses stay blocked', async () => {
  const failing = `${posthorn.url}/receiver/fails?status=503&times=1`
  const { id } = await posthorn.send({ destination: failing, payload: {} })
  await eventually(async () => {
    const event = await posthorn.event(id)
    expect(
      event.deliveryAttempts.map((attempt: { statusCode: number }) => attempt.statusCode),
    ).toEqual([503, 200])
  })
  const blocked = await posthorn.call(
    'POST',
    '/api/v1/events',
    { destination: `${posthorn.url}/metrics`, payload: {} },
    { 'X-Idempotency-Key': 'blocked' },
  )
  expect(blocked).toMatchObject({ status: 400, body: { code: 'DESTINATION_BLOCKED' } })
})

test('its key is closed to others, and a second one on the same database says so and ends', async () => {
  const { mode } = await stat(join(posthorn.dataDir, 'api-key'))
  expect(mode & 0o777).toBe(0o600)
})

test('killed with -9 it starts again on its data, within 3 seconds of a warm machine', async () => {
  const { id } = await posthorn.send({
    destination: `${posthorn.url}/receiver/later`,
    payload: {},
    delaySeconds: 3,
  })
  const key = posthorn.apiKey
  await posthorn.kill()
  await posthorn.startAgain()
  expect(posthorn.apiKey).toBe(key)
  await eventually(async () => {
    const text = await posthorn.call('GET', `/api/v1/events/${id}`)
    expect(text.status).toBe(200)
  })
})
