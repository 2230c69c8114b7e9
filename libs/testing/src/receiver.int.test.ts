import { afterEach, expect, test } from '@jest/globals'
import { request } from 'node:http'
import { startReceiver, type Receiver } from './receiver.ts'

let receiver: Receiver | undefined
afterEach(async () => await receiver?.close())

async function post(url: string, body: string): Promise<{ status: number; text: string }> {
  return await new Promise((done, failed) => {
    const headers = { 'content-type': 'text/plain', 'x-test': 'yes' }
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', () => done({ status: response.statusCode ?? 0, text }))
      response.on('error', failed)
    })
    sent.on('error', failed)
    sent.end(body)
  })
}

test('keeps each request with its raw bytes', async () => {
  receiver = await startReceiver()
  const before = Date.now()
  await post(`${receiver.url}/a?b=1`, 'grüße')
  const [first] = await receiver.waitFor(1)
  expect(first).toMatchObject({ method: 'POST', path: '/a?b=1' })
  expect(first?.headers['x-test']).toBe('yes')
  expect(first?.rawBody).toEqual(Buffer.from('grüße'))
  expect(first?.at).toBeGreaterThanOrEqual(before)
})

test('changes its answer in the middle of a test', async () => {
  receiver = await startReceiver()
  expect((await post(receiver.url, '')).status).toBe(200)
  receiver.answer({ status: 503, body: 'later' })
  expect(await post(receiver.url, '')).toEqual({ status: 503, text: 'later' })
  receiver.answer(({ path }) => ({ status: path === '/gone' ? 410 : 202 }))
  expect((await post(`${receiver.url}/gone`, '')).status).toBe(410)
  expect((await post(`${receiver.url}/x`, '')).status).toBe(202)
})

test('answers late when told to, and close() does not wait for that', async () => {
  receiver = await startReceiver()
  receiver.answer({ delayMs: 60 })
  const started = performance.now()
  await post(receiver.url, '')
  expect(performance.now() - started).toBeGreaterThanOrEqual(55)
  receiver.answer({ delayMs: 3_600_000 })
  const hanging = post(receiver.url, '')
  const cutOff = expect(hanging).rejects.toThrow('socket hang up')
  await receiver.waitFor(2)
  await receiver.close()
  await cutOff
})

test('waits for a predicate, and says what came when it does not', async () => {
  receiver = await startReceiver()
  const waiting = receiver.waitFor((requests) => requests.some(({ path }) => path === '/two'))
  await post(`${receiver.url}/one`, '')
  await post(`${receiver.url}/two`, '')
  expect(await waiting).toHaveLength(2)
  await expect(receiver.waitFor(3, { timeoutMs: 20 })).rejects.toThrow(
    'waited for 3 requests; 2 came: POST /one, POST /two',
  )
})
