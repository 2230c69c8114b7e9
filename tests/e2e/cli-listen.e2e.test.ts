/**
 * `posthorn listen` against the product: events reach an application on this machine, verified by
 * it, and none is lost while nobody listens, nor when the listener is killed.
 */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type ReceivedRequest, type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { verify } from '../../sdks/node/src/webhooks.ts'
import { type CommandLine, openCommandLine, type RunningCommand } from './command-line.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

let product: SharedProduct
let application: Receiver
let cli: CommandLine
const listeners: RunningCommand[] = []

beforeAll(async () => {
  product = await joinProduct('standalone')
}, 300_000)
afterAll(async () => await product?.leave(), 60_000)
afterEach(async () => {
  await cli.close()
  await application.close()
}, 60_000)

async function open(): Promise<void> {
  application = await startReceiver()
  cli = await openCommandLine({ POSTHORN_URL: product.url, POSTHORN_API_KEY: product.apiKey })
}

async function listen(path: string, ...args: string[]): Promise<RunningCommand> {
  const running = cli.start(['listen', `${application.url}${path}`, '--json', ...args])
  listeners.push(running)
  await eventually(() => {
    if (running.stderr().includes('listening in')) return
    throw new Error(`it does not listen: ${running.stderr()}`)
  })
  return running
}

async function sendMany(eventType: string, from: number, to: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = from; n < to; n += 25) {
    const some = Array.from({ length: Math.min(25, to - n) }, (_, at) =>
      product.send({ eventType, payload: { n: n + at } }),
    )
    ids.push(...(await Promise.all(some)).map(({ id }) => id))
  }
  return ids
}

/** Events that were acknowledged. */
async function deliveredOf(eventType: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `eventType=${eventType}&status=delivered&limit=100`
    const more = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await product.call('GET', `/api/v1/events?${query}${more}`)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.pagination.hasMore ? body.pagination.cursor : null
  }
  return ids
}

const idOf = ({ headers }: ReceivedRequest): string => String(headers['x-service-event-id'])
const arrived = (): Set<string> => new Set(application.requests.map(idOf))
const statusOf = async (id: string): Promise<string> => (await product.event(id)).status

test('an event is there within 2 s, signed with a secret that stays, byte by byte as it was sent', async () => {
  await open()
  const listener = await listen('/hooks', '--events', 'cli.first')
  const text =
    '{"eventType":"cli.first","payload":{"big":12345678901234567890,"one":1.0,"é":"\\u0041"}}'
  const pace = await startReceiver()
  await product.call('POST', '/api/v1/endpoints', { url: pace.url, eventTypes: ['cli.first'] })
  const sentAt = Date.now()
  const { body } = await product.call('POST', '/api/v1/events', text, { 'X-Idempotency-Key': 'f1' })
  const [request] = await application.waitFor(1)
  if (request === undefined) throw new Error('nothing arrived')
  // What is pushed goes the same way for the most part: it tells the machine's own pace.
  const [pushed] = await pace.waitFor(1)
  expect(request.at - sentAt).toBeLessThan(2_000 + 2 * ((pushed?.at ?? 0) - sentAt))
  await pace.close()
  expect(request.rawBody.toString()).toBe('{"big":12345678901234567890,"one":1.0,"é":"\\u0041"}')
  const { stdout } = await cli.run(['listen', `${application.url}/hooks`, '--print-secret'])
  const event = await verify(request.rawBody, request.headers, stdout.trim())
  expect(event.id).toBe(body.id)
  expect(request.headers).toMatchObject({
    'x-service-event-type': 'cli.first',
    'content-type': 'application/json',
    'webhook-id': body.id,
  })
  await eventually(async () => expect(await statusOf(body.id)).toBe('delivered'))
  expect(listener.records()).toEqual([
    expect.objectContaining({ eventId: body.id, outcome: 'accepted', statusCode: 200 }),
  ])
  expect((await listener.end()).code).toBe(0)
  const again = await listen('/hooks', '--events', 'cli.first')
  const kept = await cli.run(['listen', `${application.url}/hooks`, '--print-secret'])
  expect(kept.stdout).toBe(stdout)
  expect(again.stderr() + listener.stderr()).not.toContain(stdout.trim())
}, 60_000)

test('of 1,000 events none is lost that came while it was stopped or when it was killed', async () => {
  await open()
  const first = await listen('/many', '--events', 'cli.many')
  const before = await sendMany('cli.many', 0, 100)
  await eventually(() => expect(arrived().size).toBe(100))
  expect((await first.end()).code).toBe(0)

  const meanwhile = await sendMany('cli.many', 100, 800)
  // What is answered last is on its way when the process dies.
  const second = await listen('/many', '--events', 'cli.many')
  await eventually(() => expect(arrived().size).toBeGreaterThan(300))
  await second.end('SIGKILL')
  for (const id of await deliveredOf('cli.many')) expect(arrived()).toContain(id)
  const later = await sendMany('cli.many', 800, 1_000)
  await listen('/many', '--events', 'cli.many')
  const all = [...before, ...meanwhile, ...later]
  await eventually(() => expect(arrived().size).toBe(1_000), { timeoutMs: 60_000 })
  expect([...arrived()].toSorted()).toEqual(all.toSorted())
  await eventually(async () => expect(await deliveredOf('cli.many')).toHaveLength(1_000))
}, 240_000)

test('only what was answered with 2xx is acknowledged, and the rest comes again', async () => {
  await open()
  const refused = new Set<string>()
  application.answer((request) => {
    if (refused.has(idOf(request)) || refused.size >= 5) return { status: 200 }
    refused.add(idOf(request))
    return { status: 500 }
  })
  const listener = await listen('/refuses', '--events', 'cli.refused')
  const ids = await sendMany('cli.refused', 0, 20)
  await eventually(() => expect(refused.size).toBe(5))
  await eventually(async () => {
    for (const id of ids) expect(await statusOf(id)).toBe('delivered')
  })
  const outcomes = listener.records().map(({ outcome }) => outcome)
  expect(outcomes.filter((one) => one === 'accepted')).toHaveLength(20)
  expect(outcomes.filter((one) => one === 'refused')).toHaveLength(5)
  // An event that was refused became delivered by its second request, not before.
  for (const id of refused) {
    const own = application.requests.filter((one) => idOf(one) === id)
    expect(own.length).toBeGreaterThanOrEqual(2)
  }
}, 90_000)

test('in order, nothing overtakes an event that is refused, nor one that a killed run had', async () => {
  await open()
  const served: number[] = []
  let refusals = 3
  let isHanging = false
  application.answer(({ rawBody }) => {
    const { n } = JSON.parse(rawBody.toString()) as { n: number }
    if (n === 7 && refusals > 0) {
      refusals -= 1
      return { status: 503 }
    }
    if (n === 15 && !isHanging) {
      isHanging = true
      return { delayMs: 20_000, status: 200 }
    }
    served.push(n)
    return { status: 200 }
  })
  const args = ['/ordered', '--events', 'cli.ordered', '--ordered']
  const first = await listen(...(args as [string, ...string[]]))
  for (let n = 0; n < 30; n += 1) await product.send({ eventType: 'cli.ordered', payload: { n } })
  await eventually(() => expect(isHanging).toBe(true))
  await first.end('SIGKILL')
  await listen(...(args as [string, ...string[]]))
  await eventually(() => expect(new Set(served).size).toBe(30))
  const firsts = served.filter((n, at) => served.indexOf(n) === at)
  expect(firsts).toEqual(Array.from({ length: 30 }, (_, n) => n))
}, 120_000)

test('while the application is not there, events wait and use up no attempts', async () => {
  await open()
  const { port } = application
  const listener = await listen('/gone', '--events', 'cli.gone')
  await application.close()
  const ids = await sendMany('cli.gone', 0, 30)
  await eventually(() => expect(listener.stdout()).toContain('unreachable'))
  application = await startReceiver({ port })
  await eventually(() => expect(arrived()).toEqual(new Set(ids)))
  for (const id of ids)
    await eventually(async () => expect((await product.event(id)).status).toBe('delivered'))
  const { code, stderr } = await cli.run(['listen', `${application.url}/gone`])
  expect([code, stderr]).toEqual([1, expect.stringContaining('another "posthorn listen"')])
}, 90_000)

test('it listens in a sub-account, with a key that has few scopes', async () => {
  await open()
  await product.call('POST', '/api/v1/sub-accounts', { externalId: 'customer-42' })
  const scopes = ['endpoints:read', 'endpoints:write', 'deliveries:write', 'events:read']
  const made = await product.call('POST', '/api/v1/api-keys', { name: 'listens', scopes })
  const narrow = await openCommandLine({})
  const login = await narrow.run(['login', '--url', product.url], made.body.key)
  expect([login.code, login.stdout]).toEqual([0, expect.stringContaining('without account:read')])
  const there = ['--sub-account', 'customer-42', '--ordered']
  const listener = narrow.start(['listen', `${application.url}/below`, '--json', ...there])
  await eventually(() => expect(listener.stderr()).toContain('listening in'))
  const sent = await cli.run(['trigger', 'cli.below', '--sub-account', 'customer-42', '--json'])
  const [request] = await application.waitFor(1)
  expect(request && idOf(request)).toBe((JSON.parse(sent.stdout) as { id: string }).id)
  expect((await narrow.run(['doctor', '--sub-account', 'customer-42'])).code).toBe(0)
  await narrow.close()
}, 60_000)

test('it forwards to the URL that the user named alone, whatever an event or an answer says', async () => {
  await open()
  const other = await startReceiver()
  application.answer({ status: 307, headers: { Location: `${other.url}/stolen` } })
  await listen('/only', '--events', 'cli.only', '--forget')
  const { id } = await product.send({
    eventType: 'cli.only',
    payload: { url: `${other.url}/payload` },
    headers: { 'X-Forwarded-Host': other.url, 'X-Original-URL': '/elsewhere' },
  })
  await application.waitFor(1)
  await eventually(() => expect(listeners.at(-1)?.records()).toHaveLength(1))
  expect(listeners.at(-1)?.records()).toEqual([
    expect.objectContaining({ eventId: id, outcome: 'refused', statusCode: 307 }),
  ])
  expect(application.requests[0]).toMatchObject({ method: 'POST', path: '/only' })
  const { stderr } = (await listeners.at(-1)?.end()) ?? { stderr: '' }
  expect(stderr).toContain('the endpoint is deleted')
  expect(other.requests).toEqual([])
  await other.close()
}, 60_000)
