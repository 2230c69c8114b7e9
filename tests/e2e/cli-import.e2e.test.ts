/**
 * What another service had is imported: what it sends afterwards verifies with the secrets that it
 * had there, by the libraries of there; a second run changes nothing; one that ended early goes on.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type ReceivedRequest, type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { verify } from '../../sdks/node/src/webhooks.ts'
import { type CommandLine, type Ended, openCommandLine } from './command-line.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'
import {
  CONVOY_SECRETS,
  CONVOY_TOKEN,
  json,
  OUTPOST_SECRETS,
  OUTPOST_TOKEN,
  startConvoy,
  startOutpost,
  startSvix,
  SVIX_SECRETS,
  SVIX_TOKEN,
  type VendorApi,
} from './vendor-apis.fixture.ts'

let product: SharedProduct
let cli: CommandLine
let receiver: Receiver
let svix: VendorApi
let convoy: VendorApi
let outpost: VendorApi
beforeAll(async () => {
  product = await joinProduct('standalone')
  receiver = await startReceiver()
  svix = await startSvix(receiver.url)
  convoy = await startConvoy(receiver.url)
  outpost = await startOutpost(receiver.url)
  cli = await openCommandLine({
    POSTHORN_URL: product.url,
    POSTHORN_API_KEY: product.apiKey,
    SVIX_AUTH_TOKEN: SVIX_TOKEN,
    CONVOY_API_KEY: CONVOY_TOKEN,
    OUTPOST_API_KEY: OUTPOST_TOKEN,
  })
}, 300_000)
afterAll(async () => {
  await cli?.close()
  for (const api of [svix, convoy, outpost]) await api?.close()
  await receiver?.close()
  await product?.leave()
}, 60_000)

const SECRETS = [
  SVIX_TOKEN,
  CONVOY_TOKEN,
  OUTPOST_TOKEN,
  ...[SVIX_SECRETS, CONVOY_SECRETS, OUTPOST_SECRETS].flatMap((one) => Object.values(one)),
  'a-key-of-a-header',
  'a-token-of-the-url',
  'a-secret-of-a-queue',
]

/** Runs an import; no secret is in what it prints. */
async function run(...args: string[]): Promise<Ended & { lines: string[] }> {
  const ended = await cli.run(['import', ...args])
  const printed = ended.stdout + ended.stderr
  for (const secret of SECRETS) expect(printed).not.toContain(secret)
  return { ...ended, lines: ended.stdout.split('\n').slice(0, -1) }
}

const shown = (url: string): string => `${receiver.url}${url}`

async function endpointsOf(subAccount: string | null) {
  const headers = subAccount === null ? undefined : { 'X-Sub-Account-ID': subAccount }
  return (await product.call('GET', '/api/v1/endpoints', undefined, headers)).body.data
}

async function delivered(
  subAccount: string,
  eventType: string,
  payload: object,
  path: string,
): Promise<ReceivedRequest> {
  const sent = await product.call(
    'POST',
    '/api/v1/events',
    { eventType, payload },
    { 'X-Sub-Account-ID': subAccount, 'X-Idempotency-Key': `${eventType} ${path}` },
  )
  expect([sent.status, sent.text]).toEqual([201, expect.any(String)])
  return await eventually(() => {
    const found = receiver.requests.find(
      (request) =>
        request.path.startsWith(path) && request.headers['x-service-event-id'] === sent.body.id,
    )
    if (found === undefined) throw new Error('it has not come')
    return found
  })
}

const headersOf = ({ headers }: ReceivedRequest) => headers as Record<string, string>

test('Svix: planned, imported, and verified by its own library with the same secret', async () => {
  const from = ['svix', '--from-url', svix.url]
  let isThrottled = true
  svix.intercept((path) => {
    if (path !== '/api/v1/app' || !isThrottled) return undefined
    isThrottled = false
    return { status: 429, headers: { 'Retry-After': '1' }, body: '{}' }
  })
  const planned = await run(...from, '--dry-run')
  expect([planned.code, planned.lines]).toEqual([
    0,
    [
      '+ event type invoice.paid',
      '+ event type a.b',
      '+ sub-account acme (Acme Inc.)',
      `! endpoint ${shown('/')} (ep_channels) of acme: skipped, it listens to channels, which there is no counterpart for`,
      `+ endpoint ${shown('/billing?…')} (ep_billing) of acme`,
      '+ sub-account app_2 (Bolt)',
      '    note: its rate of 50 a second for all endpoints together is not kept',
      `! endpoint ${shown('/')} (ep_asymmetric) of app_2: skipped, it signs with an asymmetric key, which there is no counterpart for`,
      `+ endpoint ${shown('/audit')} (ep_audit) of app_2`,
      `+ endpoint ${shown('/guarded')} (ep_guarded) of app_2`,
      '    note: paused: set its headers Authorization, which Svix does not tell, and resume it',
      '    note: its metadata is not kept',
      'would be: 7 made, 0 changed, 0 as they were, 2 skipped',
    ],
  ])
  expect(planned.stderr).toContain('verify them unchanged')
  // Nobody is there to ask.
  expect((await run(...from)).code).toBe(2)
  expect((await product.call('GET', '/api/v1/sub-accounts')).body.data).toEqual([])

  const imported = await run(...from, '--yes')
  expect([imported.code, imported.lines.at(-1)]).toEqual([
    0,
    '7 made, 0 changed, 0 as they were, 2 skipped',
  ])
  const again = await run(...from, '--yes')
  expect([again.code, again.lines.at(-1)]).toEqual([
    0,
    '0 made, 0 changed, 7 as they were, 2 skipped',
  ])
  expect(again.lines.filter((line) => !line.startsWith('!'))).toHaveLength(1)

  const [billing, ...others] = await endpointsOf('acme')
  expect(others).toEqual([])
  expect(billing).toMatchObject({
    description: 'Billing [svix ep_billing uid billing]',
    eventTypes: ['invoice.paid'],
    rateLimitPerSec: 20,
    customHeaders: { 'X-Key': 'a-key-of-a-header' },
  })
  const [acme] = (await product.call('GET', '/api/v1/sub-accounts?externalId=acme')).body.data
  expect(acme.metadata).toEqual({ plan: 'pro', svixId: 'app_1' })
  const types = (await product.call('GET', '/api/v1/event-types')).body.data
  expect(types.find(({ name }: { name: string }) => name === 'invoice.paid')).toMatchObject({
    schemaVersion: '10',
    schema: { required: ['invoiceId'] },
  })

  const payload = { invoiceId: 'in_1', text: 'ü' }
  const request = await delivered('acme', 'invoice.paid', payload, '/billing')
  const webhook = new SvixWebhook(SVIX_SECRETS.billing)
  expect(JSON.parse(request.rawBody.toString())).toEqual(payload)
  // It throws where nothing matches.
  expect(() => webhook.verify(request.rawBody, headersOf(request))).not.toThrow()
  const other = new SvixWebhook(SVIX_SECRETS.audit)
  expect(() => other.verify(request.rawBody, headersOf(request))).toThrow('No matching signature')
}, 180_000)

test('what was set by hand stays, and what changed there is changed here', async () => {
  const from = ['svix', '--from-url', svix.url, '--yes']
  const asSubAccount = { 'X-Sub-Account-ID': 'app_2' }
  const all = await endpointsOf('app_2')
  const guarded = all.find(({ url }: { url: string }) => url.endsWith('/guarded'))
  expect([guarded.status, guarded.customHeaders]).toEqual(['paused', { 'X-Team': 'x' }])
  const customHeaders = { 'X-Team': 'x', authorization: 'Bearer set-by-hand' }
  const path = `/api/v1/endpoints/${guarded.id}`
  await product.call('PATCH', path, { customHeaders, timeoutMs: 7_000 }, asSubAccount)
  await product.call('POST', `${path}/resume`, {}, asSubAccount)
  expect((await run(...from)).lines.at(-1)).toContain('0 made, 0 changed, 7 as they were')

  svix.intercept((asked) => {
    if (asked.endsWith('/ep_guarded/headers'))
      return json({ headers: { 'X-Team': 'a-key-of-a-header' }, sensitive: ['Authorization'] })
    if (asked.endsWith('/ep_guarded/secret')) return json({ key: SVIX_SECRETS.billing })
    return undefined
  })
  const changed = await run(...from)
  expect(changed.lines.filter((line) => !line.startsWith('!'))).toEqual([
    `~ endpoint ${shown('/guarded')} (ep_guarded) of app_2`,
    expect.stringMatching(/^ {4}(customHeaders|signingSecret): changed$/),
    expect.stringMatching(/^ {4}(customHeaders|signingSecret): changed$/),
    '    note: paused: set its headers Authorization, which Svix does not tell, and resume it',
    '    note: its metadata is not kept',
    '0 made, 1 changed, 6 as they were, 2 skipped',
  ])
  svix.intercept(null)
  const after = (await endpointsOf('app_2')).find(({ id }: { id: string }) => id === guarded.id)
  expect(after).toMatchObject({
    status: 'active',
    timeoutMs: 7_000,
    customHeaders: { 'X-Team': 'a-key-of-a-header', authorization: 'Bearer set-by-hand' },
    signingSecretHint: SVIX_SECRETS.billing.slice(-4),
  })
}, 120_000)

test('Outpost: both secrets of a rotation verify, and what is no webhook is skipped', async () => {
  const from = ['outpost', '--from-url', outpost.url, '--yes']
  const imported = await run(...from)
  expect([imported.code, imported.lines]).toEqual([
    0,
    [
      '+ event type user.created',
      '+ event type user.deleted',
      '+ sub-account tenant one (One)',
      '! endpoint des_queue of tenant one: skipped, it is of type aws_sqs: only webhooks are imported',
      `! endpoint ${shown('/not')} (des_not) of tenant one: skipped, its filter has $not, which has no exact counterpart`,
      `+ endpoint ${shown('/hook')} (des_hook) of tenant one`,
      '+ sub-account tenant_2',
      '5 made, 0 changed, 0 as they were, 2 skipped',
    ],
  ])
  expect((await run(...from)).lines.at(-1)).toContain('0 made, 0 changed, 5 as they were')
  const payload = { user: { id: 'u_1', tier: 'premium' } }
  const request = await delivered('tenant one', 'user.created', payload, '/hook')
  for (const secret of [OUTPOST_SECRETS.now, OUTPOST_SECRETS.before]) {
    const webhook = new StandardWebhook(secret)
    expect(webhook.verify(request.rawBody, headersOf(request))).toEqual(payload)
  }
  expect(request.headers['x-key']).toBe('a-key-of-a-header')
}, 120_000)

test('Convoy: subscriptions are imported from a saved export, and secrets are the same', async () => {
  const file = join(cli.configDir, 'convoy.ndjson')
  const api = ['convoy', '--from-url', convoy.url]
  expect((await run(...api, '--dry-run')).stderr).toContain('--from-project')
  const saved = await run(...api, '--from-project', 'project_1', '--save-to', file)
  expect([saved.code, (await stat(file)).mode & 0o777]).toEqual([0, 0o600])
  expect((await run(...api, '--from-project', 'project_1', '--save-to', file)).code).toBe(2)
  const asked = convoy.asked.length
  const from = ['convoy', '--from-file', file, '--yes']
  const imported = await run(...from)
  expect([imported.code, imported.lines]).toEqual([
    0,
    [
      '+ event type order.paid',
      '+ sub-account owner-7',
      `! endpoint ${shown('/all')} (sub_script) of owner-7: skipped, it has a function, whose script has another form here`,
      `+ endpoint ${shown('/all')} (sub_large) of owner-7`,
      `! endpoint ${shown('/')} (sub_short): skipped, its secret has 10 characters: 16 to 256 are possible`,
      `! endpoint ${shown('/')} (end_idle): skipped, it has no subscription`,
      `+ endpoint ${shown('/basic')} (sub_basic)`,
      '    note: paused: set its header Authorization, which Convoy does not tell, and resume it',
      '4 made, 0 changed, 0 as they were, 3 skipped',
    ],
  ])
  expect((await run(...from)).lines.at(-1)).toContain('0 made, 0 changed, 4 as they were')
  expect(convoy.asked).toHaveLength(asked)
  const [large] = await endpointsOf('owner-7')
  expect(large).toMatchObject({
    eventTypes: ['order.paid'],
    rateLimitPerSec: 5,
    timeoutMs: 10_000,
    filter: [{ field: '$.total.amount', operator: 'gte', value: 100 }],
    customHeaders: { 'X-Api-Key': 'a-key-of-a-header' },
  })
  const payload = { total: { amount: 100 } }
  const request = await delivered('owner-7', 'order.paid', payload, '/all')
  const verified = await verify(request.rawBody, request.headers, CONVOY_SECRETS.all)
  expect(verified.payload).toEqual(payload)
  // Only our own scheme is there: the secret is none of Standard Webhooks.
  expect(request.headers['webhook-signature']).toBeUndefined()
}, 120_000)

test('an import that ends early goes on when it is run again, and makes nothing twice', async () => {
  const fresh = await joinProduct('standalone')
  const other = await openCommandLine({
    POSTHORN_URL: fresh.url,
    POSTHORN_API_KEY: fresh.apiKey,
    SVIX_AUTH_TOKEN: SVIX_TOKEN,
  })
  try {
    const from = ['import', 'svix', '--from-url', svix.url, '--yes', '--no-schemas']
    const refused = { status: 403, body: '{"code":"forbidden","detail":"no"}' }
    svix.intercept((path) => (path === '/api/v1/app/app_2/endpoint' ? refused : undefined))
    const ended = await other.run(from)
    expect([ended.code, ended.stderr]).toEqual([
      4,
      expect.stringContaining('run it again to go on. 4 made'),
    ])
    svix.intercept(null)
    const { stdout } = await other.run(from)
    expect(stdout).toContain('3 made, 0 changed, 4 as they were')
    const all = { 'X-Sub-Account-ID': 'acme' }
    const own = (await fresh.call('GET', '/api/v1/endpoints', undefined, all)).body.data
    expect(own).toHaveLength(1)
    const types = (await fresh.call('GET', '/api/v1/event-types')).body.data
    expect(types.map(({ schema }: { schema: unknown }) => schema)).toEqual([null, null])
  } finally {
    await other.close()
    await fresh.leave()
  }
}, 180_000)

test('an answer of another shape changes nothing, and the message names the field', async () => {
  const from = ['svix', '--from-url', svix.url, '--yes']
  const broken: [string, unknown, string][] = [
    ['/api/v1/event-type', { data: [{ name: 7 }], iterator: null, done: true }, 'data[0].name: '],
    ['/api/v1/event-type', { items: [] }, 'data: '],
    ['/api/v1/app/app_1/endpoint/ep_billing/secret', { key: [SVIX_SECRETS.billing] }, 'key: '],
    ['/api/v1/app', { data: [], iterator: 'x', done: false }, 'from a page to the same page'],
  ]
  for (const [path, body, told] of broken) {
    svix.intercept((asked) => (asked === path ? json(body) : undefined))
    const { code, stderr } = await run(...from)
    expect([path, code, stderr]).toEqual([path, 1, expect.stringContaining(told)])
  }
  svix.intercept(null)
  const wrong = await cli.run([
    'import',
    'svix',
    '--from-url',
    svix.url,
    '--from-token',
    'other-token',
  ])
  expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining('check its token')])
  expect(wrong.stderr).not.toContain('other-token')
  expect((await run('svix')).code).toBe(2)
  expect((await run('hookdeck', '--from-url', svix.url)).code).toBe(2)
}, 120_000)
