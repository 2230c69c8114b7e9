/**
 * The package as its users install it: from the tarball, in both module formats, with its types, on
 * each Node that it is for; and what its README shows.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ensureNode } from '@posthorn/testing/older-node'
import { typesModule } from '../../../cli/src/types/schema-types.ts'
import { readmeBlocks } from './readme.fixture.ts'

const run = promisify(execFile)
const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

const ENTRIES = ['express', 'fastify', 'next', 'outbox', 'webhooks']
const USE = `
  const client = new sdk.Posthorn({ apiKey: 'k', baseUrl: 'http://127.0.0.1:9' })
  const body = '{"a":1}'
  sdk.webhooks.sign(body, 's').then(async (headers) => {
    const event = await sdk.webhooks.verify(body, headers, 's')
    const error = await client.me.get({ maxRetries: 0 }).catch((thrown) => thrown)
    const isOne = entries.webhooks.verify === sdk.webhooks.verify
    const seen = []
    const POST = entries.next.webhook({ secrets: 's' }, ({ payload }) => seen.push(payload.a))
    const answer = await POST(new Request('https://a.example', { method: 'POST', body, headers }))
    const written = []
    const tx = { query: async (text, values) => written.push(values[3]) }
    await entries.outbox.publish(tx, { eventType: 'a', payload: { b: 2 } })
    console.log(event.payload.a, error instanceof sdk.PosthornConnectionError, isOne, answer.status, seen[0],
      typeof entries.express.webhook, typeof entries.fastify.webhook, written[0])
  })`
const PRINTED = '1 true true 204 1 function function {"eventType":"a","payload":{"b":2}}\n'

let folder: string
let archive: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-sdk-'))
  // npm calls the package's own build first.
  const options = { cwd: PACKAGE, env: { ...process.env, npm_config_loglevel: 'error' } }
  const packed = await run('npm', ['pack', '--pack-destination', folder], options)
  archive = join(folder, packed.stdout.trim().split('\n').at(-1) ?? '')
  const installed = join(folder, 'node_modules/@posthorn/node')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', archive, '-C', installed, '--strip-components=1'])
  const named = ENTRIES.map((entry) => `import * as ${entry} from '@posthorn/node/${entry}'\n`)
  const required = ENTRIES.map((entry) => `${entry}: require('@posthorn/node/${entry}')`)
  await writeFile(
    join(folder, 'esm.mjs'),
    `import * as sdk from '@posthorn/node'\n${named.join('')}const entries = { ${ENTRIES.join(', ')} }\n${USE}`,
  )
  await writeFile(
    join(folder, 'cjs.cjs'),
    `const sdk = require('@posthorn/node')\nconst entries = { ${required.join(', ')} }\n${USE}`,
  )
}, 120_000)
afterAll(async () => await rm(folder, { recursive: true, force: true }))

async function expectRuns(node: string): Promise<void> {
  for (const file of ['esm.mjs', 'cjs.cjs'])
    expect({ file, ...(await run(node, [file], { cwd: folder })) }).toEqual({
      file,
      stdout: PRINTED,
      stderr: '',
    })
}

test(`this Node runs it as either kind of module: ${process.version}`, async () => {
  await expectRuns(process.execPath)
})

test.each(['20.20.2', '22.23.3'])(
  'Node %s runs it as either kind of module',
  async (version) => {
    let node: string
    try {
      node = await ensureNode(version)
      await run(node, ['--version'])
    } catch (error) {
      const reason = (error as Error).message.slice(-300)
      process.stderr.write(`SKIPPED: Node ${version} cannot be had from a registry: ${reason}\n`)
      const isRequired = process.env['REQUIRE_TOOLS'] === '1'
      expect({ reason, isRequired }).toEqual({ reason, isRequired: false })
      return
    }
    expect((await run(node, ['--version'])).stdout).toBe(`v${version}\n`)
    await expectRuns(node)
  },
  240_000,
)

test('publint and attw find nothing wrong with it', async () => {
  const publint = join(PACKAGE, 'node_modules/publint/src/cli.js')
  const attw = join(PACKAGE, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  await run(process.execPath, [publint, 'run', archive, '--strict'])
  await run(process.execPath, [attw, archive, '--profile', 'node16', '--no-color'])
}, 120_000)

test('it has no dependencies', async () => {
  const text = await readFile(join(folder, 'node_modules/@posthorn/node/package.json'), 'utf8')
  const { dependencies, peerDependencies } = JSON.parse(text)
  expect({ dependencies, peerDependencies }).toEqual({})
})

/** Frameworks and drivers as the developers of an application have them. */
async function linkPackages(): Promise<void> {
  const own = ['@types/express', '@types/pg', 'drizzle-orm', 'express', 'fastify', 'pg']
  for (const [home, names] of [
    [PACKAGE, own],
    [ROOT, ['@types/node']],
  ] as const)
    for (const name of names) {
      const target = join(folder, 'node_modules', name)
      await mkdir(dirname(target), { recursive: true })
      await symlink(join(home, 'node_modules', name), target)
    }
}

async function compile(files: readonly string[]): Promise<void> {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext']
  const libs = ['--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--types', 'node']
  await run(process.execPath, [TSC, ...options, ...libs, ...files], { cwd: folder }).catch(
    (error: { stdout: string }) => {
      throw new Error(error.stdout)
    },
  )
}

const TYPED = `import { Posthorn, type EventDetail, webhooks } from '@posthorn/node'
import type { EventPayloads } from './posthorn-events.mjs'
const client = new Posthorn({ apiKey: 'k', baseUrl: 'https://hooks.example.com' })
export const event: Promise<EventDetail> = client.events.get('e1')
// @ts-expect-error a payload is an object
void client.events.create({ eventType: 'a', payload: 1 })

const anything = await webhooks.verify('', new Headers(), ['s'])
export const unknown: [string | undefined, unknown] = [anything.eventType, anything.payload]
// @ts-expect-error without the types nothing is known of it
anything.payload.orderId

const one = await webhooks.verify<EventPayloads>('', new Headers(), ['s'])
if (one.eventType === 'order.paid') {
  const amount: number = one.payload.amount
  const note: string | undefined = one.payload.note
  // @ts-expect-error it is a number
  const wrong: string = one.payload.amount
  console.log(amount, note, wrong)
} else {
  const type: 'order.failed' = one.eventType
  const reason: 'card' | 'stock' = one.payload.reason
  // @ts-expect-error that is of the other type
  console.log(type, reason, one.payload.amount)
}
// @ts-expect-error there is no such type
export const wrong = one.eventType === 'order.payed'
`

test('its types hold for either kind of module, and for the README', async () => {
  await linkPackages()
  const object = { type: 'object', additionalProperties: false }
  const amount = { amount: { type: 'number' }, note: { type: 'string' } }
  const reason = { reason: { enum: ['card', 'stock'] } }
  const schemas = [
    { name: 'order.paid', schema: { ...object, properties: amount, required: ['amount'] } },
    { name: 'order.failed', schema: { ...object, properties: reason, required: ['reason'] } },
  ]
  const events = typesModule(schemas.map((one) => ({ ...one, description: null })))
  const files: Record<string, string> = {
    'typed.mts': TYPED,
    'typed.cts': `import sdk = require('@posthorn/node')
import outbox = require('@posthorn/node/outbox')
export const client = new sdk.Posthorn({ apiKey: 'k', baseUrl: 'https://a.example' })
export const text: string = outbox.createOutboxTable()
`,
    'posthorn-events.mts': events,
    // The application's own modules that the README's examples import.
    'posthorn.mts': `import { Posthorn } from '@posthorn/node'
export const posthorn = new Posthorn({ apiKey: 'k', baseUrl: 'https://hooks.example.com' })
`,
    'database.mts': `import pg from 'pg'
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
export const pool = new pg.Pool()
export const db = drizzle(pool)
export const orders = pgTable('orders', { id: text().primaryKey(), amount: integer().notNull() })
interface PrismaTx {
  order: { create(one: { data: { id: string; amount: number } }): Promise<{ id: string }> }
  $executeRawUnsafe(query: string, ...values: any[]): Promise<number>
}
export declare const prisma: { $transaction<T>(work: (tx: PrismaTx) => Promise<T>): Promise<T> }
export declare const order: { id: string; amount: number }
export declare function fulfil(orderId: string): Promise<void>
`,
  }
  for (const [n, block] of (await readmeBlocks('ts')).entries()) files[`readme-${n}.mts`] = block
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await compile(Object.keys(files))
}, 120_000)

test('the README’s command prints the table', async () => {
  const [command = ''] = await readmeBlocks('sh')
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
  await run('sh', ['-ec', command], { cwd: folder, env })
  const text = await readFile(join(folder, 'outbox.sql'), 'utf8')
  expect(text).toMatch(/^CREATE TABLE IF NOT EXISTS posthorn_outbox/)
})
