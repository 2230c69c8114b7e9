/**
 * A configuration as a file: what is exported and applied changes nothing, what was changed by hand
 * is found, and one workspace becomes as another.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type CommandLine, openCommandLine } from './command-line.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

const SLACK = 'https://hooks.example.com/services/T000/B000/a-secret-path'
const DOCUMENT = `version: 1
eventTypes:
  - name: order.paid
    description: |
      An order was paid.
      "Quoted": yes, # and all that
    schema: { type: object, required: [orderId], properties: { orderId: { type: string } } }
  - name: order.sent
endpoints:
  - url: https://example.com/billing
    eventTypes: ["order.*"]
    timeoutMs: 5000
    filter: [{ field: $.amount, operator: gt, value: 10 }]
    customHeaders: { X-Team: billing }
    signingSecret: { $env: BILLING_SECRET }
  - url: https://example.com/audit
    eventTypes: ["*"]
    status: paused
    fifo: true
    transformation: |
      function transform(event) {
        return { payload: event.payload }
      }
connectors:
  - name: ops-chat
    type: slack
    config: { webhookUrl: { $env: SLACK_URL }, channel: "#ops" }
    template: { text: "{{.event_type}}" }
alertRules:
  - name: Too many failures
    condition: { metric: failure_rate, operator: gt, value: 5 }
    connectorName: ops-chat
    cooldown: 30m
`
const VARIABLES = { SLACK_URL: SLACK, BILLING_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }

let products: SharedProduct[]
let first: CommandLine
let second: CommandLine
beforeAll(async () => {
  products = [await joinProduct('standalone'), await joinProduct('standalone')]
  const [one, two] = products.map(({ url, apiKey }) => ({
    POSTHORN_URL: url,
    POSTHORN_API_KEY: apiKey,
    ...VARIABLES,
  }))
  first = await openCommandLine(one ?? {})
  second = await openCommandLine(two ?? {})
}, 300_000)
afterAll(async () => {
  await first?.close()
  await second?.close()
  for (const product of products ?? []) await product.leave()
}, 60_000)

const withoutIds = (text: string): string =>
  text.replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '')

test('a file is planned, applied, exported, and applied again without a change', async () => {
  const file = join(first.configDir, 'posthorn.yaml')
  await writeFile(file, DOCUMENT)
  const planned = await first.run(['apply', '-f', file, '--plan'])
  expect(planned.code).toBe(0)
  expect(planned.stdout.split('\n').slice(0, -1)).toEqual([
    '+ event type order.paid',
    '+ event type order.sent',
    '+ endpoint https://example.com/billing',
    '+ endpoint https://example.com/audit',
    '+ connector ops-chat',
    '+ alert rule Too many failures',
  ])
  // Nobody is there to ask.
  expect((await first.run(['apply', '-f', file])).code).toBe(2)
  expect((await first.run(['export'])).stdout).toBe(
    'version: 1\neventTypes: []\nendpoints: []\nconnectors: []\nalertRules: []\n',
  )
  const applied = await first.run(['apply', '-f', file, '--yes'])
  expect([applied.code, applied.stderr]).toEqual([
    0,
    expect.stringContaining('6 changes are applied'),
  ])
  expect((await first.run(['apply', '-f', file, '--drift'])).stdout).toBe('')

  const exported = (await first.run(['export'])).stdout
  expect(exported).not.toContain('a-secret-path')
  const copy = join(first.configDir, 'exported.yaml')
  await writeFile(copy, exported)
  const unchanged = await first.run(['apply', '-f', copy, '--drift', '--prune'])
  expect([unchanged.code, unchanged.stdout]).toEqual([0, ''])
  expect((await first.run(['export'])).stdout).toBe(exported)
  const json = await first.run(['export', '--json'])
  expect((await first.run(['apply', '-f', '-', '--drift', '--prune'], json.stdout)).code).toBe(0)
}, 120_000)

test('what was changed by hand is found, and set right', async () => {
  const product = products[0] as SharedProduct
  const file = join(first.configDir, 'posthorn.yaml')
  const endpoints = (await product.call('GET', '/api/v1/endpoints')).body.data
  const billing = endpoints.find(({ url }: { url: string }) => url.endsWith('/billing'))
  await product.call('PATCH', `/api/v1/endpoints/${billing.id}`, { timeoutMs: 9_000 })
  await product.call('POST', '/api/v1/event-types', { name: 'by.hand' })
  const drifted = await first.run(['apply', '-f', file, '--drift'])
  expect([drifted.code, drifted.stdout.split('\n').slice(0, -1)]).toEqual([
    1,
    [
      '~ endpoint https://example.com/billing',
      '    timeoutMs: 9000 -> 5000',
      '? event type by.hand  (not in the file; --prune deletes it)',
    ],
  ])
  expect((await first.run(['apply', '-f', file, '--yes', '--prune'])).code).toBe(0)
  expect((await first.run(['apply', '-f', file, '--drift', '--prune'])).code).toBe(0)
  const changed = {
    ...VARIABLES,
    SLACK_URL: `${SLACK}-new`,
    BILLING_SECRET: 'whsec_Z2l2ZW4gYW5ldw==',
  }
  const rotated = await first.run(['apply', '-f', file, '--yes'], '', changed)
  expect(rotated.stdout.split('\n').slice(0, -1)).toEqual([
    '~ endpoint https://example.com/billing',
    '    signingSecret: changed',
    '~ connector ops-chat',
    '    config: changed',
  ])
  expect(rotated.stdout + rotated.stderr).not.toContain(`${SLACK}-new`)
  expect((await first.run(['apply', '-f', file, '--drift'], '', changed)).code).toBe(0)
  expect((await first.run(['apply', '-f', file, '--yes'])).code).toBe(0)
}, 120_000)

test('another workspace becomes the same, and rules follow their endpoints', async () => {
  const product = products[0] as SharedProduct
  const [audit] = (await product.call('GET', '/api/v1/endpoints')).body.data
  await product.call('POST', '/api/v1/alerting/rules', {
    name: 'Slow',
    condition: { metric: 'latency', operator: 'gt', value: 900, window: '10m' },
    endpointId: audit.id,
    connectorName: 'ops-chat',
  })
  const exported = (await first.run(['export'])).stdout
  // A masked secret stands for the one that is there: another workspace needs the secret itself.
  const file = join(second.configDir, 'all.yaml')
  await writeFile(file, exported.replace(/webhookUrl: .*/, 'webhookUrl: { $env: SLACK_URL }'))
  const applied = await second.run(['apply', '-f', file, '--yes'])
  expect([applied.code, applied.stderr]).toEqual([
    0,
    expect.stringContaining('changes are applied'),
  ])
  const there = (await second.run(['export'])).stdout
  expect(withoutIds(there)).toBe(withoutIds(exported))
  expect((await second.run(['apply', '-f', file, '--drift', '--prune'])).code).toBe(0)
  const rules = (await (products[1] as SharedProduct).call('GET', '/api/v1/alerting/rules')).body
    .data
  const own = (await (products[1] as SharedProduct).call('GET', '/api/v1/endpoints')).body.data
  expect(own.map(({ id }: { id: string }) => id)).toContain(rules[0].endpointId)
}, 120_000)

test('a file that is wrong changes nothing, and says where', async () => {
  const before = (await first.run(['export'])).stdout
  const wrong: [string, string][] = [
    ['endpoints: []', 'must begin with "version: 1"'],
    ['version: 1\nendpoint: []', 'no section endpoint'],
    ['version: 1\nendpoints: [{ url: "https://a.example" }]', 'endpoints[0] has no eventTypes'],
    ['version: 1\neventTypes: [{ name: a, scheme: {} }]', 'a field scheme'],
    ['version: 1\neventTypes: [{ name: a }, { name: a }]', 'has a twice'],
    ['version: 1\nconnectors: [{ name: { $env: NOT_SET } }]', 'the variable NOT_SET'],
    ['version: 1\nx: [', 'neither YAML nor JSON'],
  ]
  for (const [text, told] of wrong) {
    const { code, stderr } = await first.run(['apply', '-f', '-', '--yes'], text)
    expect([text, code, stderr]).toEqual([text, 2, expect.stringContaining(told)])
  }
  const refused = 'version: 1\nendpoints: [{ url: "http://10.0.0.1/", eventTypes: ["a"] }]'
  const { code, stderr } = await first.run(['apply', '-f', '-', '--yes'], refused)
  expect([code, stderr]).toEqual([1, expect.stringContaining('0 of 1 changes are applied')])
  expect((await first.run(['export'])).stdout).toBe(before)
  const path = join(first.configDir, 'out.yaml')
  await first.run(['export', '--out', path, '--only', 'eventTypes'])
  expect(await readFile(path, 'utf8')).toContain('order.paid')
}, 120_000)
