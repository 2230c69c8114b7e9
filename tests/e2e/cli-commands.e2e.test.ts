/**
 * The commands that look and act, against the product: what they print, what they exit with, and
 * that nothing of others reaches the user's terminal as more than text.
 */
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeCertificate } from '@posthorn/egress/certificate.fixture'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { type CommandLine, type Ended, openCommandLine } from './command-line.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp.exe\r\n\u0000'
// oxlint-disable-next-line no-control-regex -- they are what must not be there
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let product: SharedProduct
let receiver: Receiver
let cli: CommandLine
let loggedIn: Ended

beforeAll(async () => {
  receiver = await startReceiver()
  product = await joinProduct('standalone')
  cli = await openCommandLine({})
  loggedIn = await cli.run(['login', '--url', product.url], `${product.apiKey}\n`)
}, 300_000)
afterAll(async () => {
  await cli?.close()
  await product?.leave()
  await receiver?.close()
}, 60_000)

// oxlint-disable-next-line typescript/no-explicit-any -- the records' shape is what is tested
async function json(...args: string[]): Promise<{ code: number; records: any[] }> {
  const { stdout, code } = await cli.run([...args, '--json'])
  const lines = stdout.split('\n').slice(0, -1)
  return { code, records: lines.map((line) => JSON.parse(line) as unknown) }
}

async function createEndpoint(eventType: string, more: object = {}): Promise<string> {
  const url = `${receiver.url}/${eventType}`
  const body = { url, eventTypes: [eventType], signingSecret: SECRET, ...more }
  const created = await product.call('POST', '/api/v1/endpoints', body)
  expect(created.status).toBe(201)
  return created.body.id
}

test('a key is kept for its owner alone, and is never shown', async () => {
  expect(loggedIn.code).toBe(0)
  const path = join(cli.configDir, 'credentials.json')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readFile(path, 'utf8')).toContain(product.apiKey)
  await chmod(path, 0o644)
  const me = await cli.run(['endpoints'])
  expect(me.code).toBe(0)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const failing = await cli.run(['explain', product.apiKey])
  const asOption = await cli.run(['login', `--api-key=${product.apiKey}`])
  const asCommand = await cli.run([product.apiKey])
  for (const { stdout, stderr } of [loggedIn, me, failing, asOption, asCommand])
    expect(stdout + stderr).not.toContain(product.apiKey)
})

test('exit codes tell what went wrong', async () => {
  const codeOf = async (args: string[], more: Record<string, string> = {}) =>
    (await cli.run(args, '', more)).code
  const unknown = '01981f3a-7c00-7000-8000-000000000001'
  const account = { POSTHORN_URL: product.url, POSTHORN_API_KEY: `${product.apiKey}x` }
  expect(await codeOf(['--help'])).toBe(0)
  expect(await codeOf(['nothing'])).toBe(2)
  expect(await codeOf([])).toBe(2)
  expect(await codeOf(['tail', '--status', 'unknown'])).toBe(2)
  expect(await codeOf(['replay'])).toBe(2)
  expect(await codeOf(['listen', 'ftp://localhost'])).toBe(2)
  expect(await codeOf(['endpoints', '--profile', 'unknown'])).toBe(2)
  expect(await codeOf(['explain', unknown])).toBe(3)
  expect(await codeOf(['endpoints', 'get', unknown])).toBe(3)
  expect(await codeOf(['endpoints'], account)).toBe(4)
  const nobody = { POSTHORN_URL: 'http://127.0.0.1:1', POSTHORN_API_KEY: 'k' }
  expect(await codeOf(['doctor'], nobody)).toBe(1)
  const { stdout, stderr } = await cli.run(['explain', unknown, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ code: 'NOT_FOUND' })
  expect(stderr).toContain('NOT_FOUND')
}, 120_000)

test('an event is triggered, told of, and explained as a tree', async () => {
  const endpointId = await createEndpoint('cli.explained')
  const filter = [{ field: '$.amount', operator: 'gt', value: 10 }]
  const other = await createEndpoint('cli.explained', { filter, description: 'large ones' })
  const payload = '{"amount":5,"id":12345678901234567890}'
  const sent = await json('trigger', 'cli.explained', '--data', payload)
  const { id } = sent.records[0]
  await eventually(async () => expect((await product.event(id)).status).toBe('delivered'))
  const request = receiver.requests.find(({ path }) => path === '/cli.explained')
  expect(request?.rawBody.toString()).toBe(payload)
  const { stdout, code } = await cli.run(['explain', id])
  expect(code).toBe(0)
  const lines = stdout.split('\n')
  expect(lines[0]).toBe(`${id}  cli.explained  delivered`)
  expect(stdout).toMatch(
    new RegExp(`├─ ${endpointId}: delivered, 1 of 5 attempts\\n│  └─ attempt 1 at `),
  )
  expect(stdout).toContain(`└─ ${other} (large ones): not sent\n   ├─ because of its filter`)
  expect(stdout).toContain('condition $.amount gt 10: found [5]')
  const tailed = await json('tail', '--type', 'cli.explained', '--since', '1h', '--no-follow')
  expect(tailed.records.map((one) => one.id)).toEqual([id])
  const attempts = await json(
    'tail',
    '--attempts',
    '--endpoint',
    endpointId,
    '--since',
    '1h',
    '--no-follow',
  )
  expect(attempts.records).toEqual([expect.objectContaining({ eventId: id, statusCode: 200 })])
})

test('what is done in a sub-account is not in the workspace', async () => {
  await product.call('POST', '/api/v1/sub-accounts', { externalId: 'Zoë & Co' })
  const there = ['--sub-account', 'Zoë & Co']
  const sent = await json('trigger', 'cli.below', ...there)
  const look = ['tail', '--type', 'cli.below', '--since', '1h', '--no-follow']
  expect((await json(...look)).records).toEqual([])
  const { id } = sent.records[0]
  expect((await json(...look, ...there)).records).toEqual([expect.objectContaining({ id })])
  expect((await cli.run(['explain', id])).code).toBe(3)
})

test('tail goes on with what comes, each event once', async () => {
  const tail = cli.start(['tail', '--type', 'cli.tailed', '--json', '--since', '1h'])
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) {
    ids.push((await product.send({ eventType: 'cli.tailed', payload: { n } })).id)
    await eventually(() => expect(tail.records().map(({ id }) => id)).toEqual(ids))
  }
  expect((await tail.end()).code).toBe(0)
})

test('what did not succeed is delivered again, once it was asked for', async () => {
  receiver.answer({ status: 400 })
  const endpointId = await createEndpoint('cli.replayed', { maxRetries: 1 })
  const sent = await json('trigger', 'cli.replayed', '--count', '3')
  const ids = sent.records.map(({ id }) => id as string).toSorted()
  for (const id of ids)
    await eventually(async () => expect((await product.event(id)).status).toBe('dead'))
  receiver.answer({ status: 200 })
  const bulk = ['replay', '--since', '1h', '--endpoint', endpointId]
  const dry = await json(...bulk, '--dry-run')
  expect(dry.records.map(({ eventId }) => eventId).toSorted()).toEqual(ids)
  const one = await json('replay', ids[0] as string, '--dry-run')
  expect(one.records).toEqual([expect.objectContaining({ endpointId, state: 'dead' })])
  for (const id of ids) expect((await product.event(id)).status).toBe('dead')
  expect((await json('replay', ids[0] as string)).code).toBe(0)
  await eventually(async () =>
    expect((await product.event(ids[0] as string)).status).toBe('delivered'),
  )
  const done = await json(...bulk)
  expect(done.records).toEqual([expect.objectContaining({ status: 'done', done: 2 })])
  for (const id of ids)
    await eventually(async () => expect((await product.event(id)).status).toBe('delivered'))
  expect((await json(...bulk, '--dry-run')).records).toEqual([])
}, 90_000)

test('a payload, an answer or a name drives nobody’s terminal', async () => {
  receiver.answer({ status: 500, body: HOSTILE })
  const description = HOSTILE.replaceAll('\u0000', '')
  const endpointId = await createEndpoint('cli.hostile', { maxRetries: 1, description })
  const sent = await json('trigger', 'cli.hostile', '--data', JSON.stringify({ text: HOSTILE }))
  const { id } = sent.records[0]
  await eventually(async () => expect((await product.event(id)).status).toBe('dead'))
  receiver.answer({ status: 200 })
  const looks: string[][] = [
    ['explain', id],
    ['endpoints'],
    ['endpoints', 'get', endpointId],
    ['tail', '--no-follow', '--since', '1h', '--attempts'],
    ['explain', HOSTILE],
    [HOSTILE],
    ['trigger', 'cli.hostile', '--data', HOSTILE],
    ['export', '--only', 'endpoints'],
  ]
  for (const args of looks)
    for (const more of [[], ['--json']]) {
      // An argument of a process ends at NUL.
      const given = [...args, ...more].map((one) => one.replaceAll('\u0000', ''))
      const { stdout, stderr } = await cli.run(given)
      expect([given[0], (stdout + stderr).match(CONTROLS)]).toEqual([given[0], null])
    }
  const explained = await json('explain', id)
  expect(explained.records[0].attempts[0].responseBody).toContain('\u001b]0;owned\u0007')
}, 120_000)

test('a captured request is verified step by step, with the likely cause of what fails', async () => {
  await createEndpoint('cli.verified')
  await json('trigger', 'cli.verified', '--data', '{"a": 1.50}')
  await receiver.waitFor((all) => all.some(({ path }) => path === '/cli.verified'))
  const request = receiver.requests.find(({ path }) => path === '/cli.verified')
  if (request === undefined) throw new Error('nothing arrived')
  const headers = Object.entries(request.headers).map(
    ([name, value]) => `${name}: ${String(value)}`,
  )
  const body = request.rawBody.toString()
  const http = (text: string) => `POST /hook HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${text}`
  const secret = { POSTHORN_SIGNING_SECRET: SECRET }
  const good = await cli.run(['verify', '-', '--json'], http(body), secret)
  expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('"it matches"')])
  const asJson = JSON.stringify({ headers: request.headers, body })
  expect((await cli.run(['verify', '-'], asJson, secret)).code).toBe(0)
  const changed = await cli.run(['verify', '-'], http(`${body}\n`), secret)
  expect([changed.code, changed.stdout]).toEqual([
    1,
    expect.stringContaining('has a line break at its end that was not sent'),
  ])
  const wrong = await cli.run(['verify', '-'], http(body), {
    POSTHORN_SIGNING_SECRET: `${SECRET} `,
  })
  expect(wrong.code).toBe(1)
  const late = await cli.run(['verify', '-', '--at', '2040-01-01'], http(body), secret)
  expect([late.code, late.stdout]).toEqual([1, expect.stringContaining('FAILED  timestamp')])
  expect(wrong.stdout + good.stdout).not.toContain(SECRET)
})

test('doctor finds what is right, and an endpoint that does not verify', async () => {
  const endpointId = await createEndpoint('cli.doctor')
  const fine = await json('doctor')
  expect(fine.records.map(({ check, result }) => `${check} ${result}`)).toEqual([
    'connection ok',
    'clock ok',
    'API key ok',
    'signature ok',
  ])
  const asked = await json('doctor', endpointId)
  expect([asked.code, asked.records.at(-1)]).toEqual([
    0,
    expect.objectContaining({ result: 'skip' }),
  ])
  const before = receiver.requests.length
  const sent = await json('doctor', endpointId, '--send')
  expect(receiver.requests.length).toBe(before + 2)
  expect(sent.records.slice(-3, -1)).toEqual([
    expect.objectContaining({ check: 'delivery', result: 'ok' }),
    expect.objectContaining({ check: 'verification', result: 'failed' }),
  ])
  expect([sent.code, sent.records.at(-1)]).toEqual([1, { error: '1 checks failed' }])
}, 60_000)

test('doctor tells a certificate that deliveries take from one that they refuse', async () => {
  const authority = makeCertificate({ name: 'Test authority' })
  const file = join(cli.configDir, 'authority.pem')
  await writeFile(file, authority.cert)
  const day = 86_400_000
  const certify = (name: string, days: number) =>
    makeCertificate({
      name,
      altNames: [name],
      signedBy: authority,
      validTo: new Date(Date.now() + days * day),
      validFrom: new Date(Date.now() - 30 * day),
    })
  const looks = [
    [certify('localhost', 90.5), 'ok', 'valid for 90 days'],
    [certify('localhost', 3.5), 'warn', 'valid for 3 days'],
    [certify('localhost', -1), 'failed', 'CERT_HAS_EXPIRED'],
    [certify('elsewhere.example', 90), 'failed', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const
  for (const [{ cert, key }, result, told] of looks) {
    const server = createServer({ cert, key }).on('tlsClientError', () => {})
    await new Promise<void>((done) => server.listen(0, 'localhost', done))
    const url = `https://localhost:${(server.address() as AddressInfo).port}/hooks`
    const trusting = { NODE_EXTRA_CA_CERTS: file }
    const { stdout } = await cli.run(['doctor', url, '--json'], '', trusting)
    const findings = stdout.split('\n').filter((line) => line.includes('"TLS"'))
    expect(findings).toEqual([expect.stringContaining(told)])
    expect(JSON.parse(findings[0] ?? '')).toMatchObject({ result })
    await new Promise((done) => server.close(done))
  }
}, 60_000)

test('types are as the schemas of the event types are, and stay checked', async () => {
  const schema = {
    type: 'object',
    required: ['orderId'],
    properties: {
      orderId: { type: 'string' },
      lines: { type: 'array', items: { type: 'integer' } },
    },
    additionalProperties: false,
  }
  await product.call('POST', '/api/v1/event-types', { name: 'order.paid', schema })
  const file = join(cli.configDir, 'events.ts')
  expect((await cli.run(['types', '--out', file])).code).toBe(0)
  expect(await readFile(file, 'utf8')).toContain(
    '  "order.paid": {\n    orderId: string\n    lines?: Array<number>\n  }\n',
  )
  expect((await cli.run(['types', '--out', file, '--check'])).code).toBe(0)
  await writeFile(file, 'export {}\n')
  expect((await cli.run(['types', '--out', file, '--check'])).code).toBe(1)
})
