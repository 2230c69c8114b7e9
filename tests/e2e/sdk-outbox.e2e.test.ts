/**
 * The outbox of the SDK against the product: an application is killed again and again, at any of
 * its steps, and each committed order is accepted exactly once, and none that was rolled back.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openPool, type Pool } from '@posthorn/store/pool'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { isLongForm } from '@posthorn/testing/long-form'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { createOutboxTable, createRelay } from '../../sdks/node/src/outbox.ts'
import { Posthorn } from '../../sdks/node/src/posthorn-node.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

const KILLS = isLongForm ? 200 : 20
const MAX_STEPS = 80
const APPLICATION = fileURLToPath(new URL('outbox-application.ts', import.meta.url))

let product: SharedProduct
let receiver: Receiver
let database: TestDatabase
let shop: Pool
let application: ChildProcess | undefined
beforeAll(async () => {
  receiver = await startReceiver()
  product = await joinProduct('standalone')
  database = await createTestDatabase()
  shop = openPool({ url: database.url, max: 4, name: 'test', onError: () => {} })
  await shop.query(createOutboxTable())
  await shop.query('CREATE TABLE orders (id bigserial PRIMARY KEY, customer integer NOT NULL)')
}, 300_000)
afterAll(async () => {
  application?.kill('SIGKILL')
  await shop?.end()
  await database?.drop()
  await product?.leave()
  await receiver?.close()
}, 60_000)

/** Runs the application until it has gone so many steps, and kills it there. */
async function runAndKill(steps: number): Promise<Record<string, number>> {
  const { url, apiKey } = product
  const args = [APPLICATION, database.url, url, apiKey, `${receiver.url}/orders`]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' },
  })
  application = child
  const ended = once(child, 'exit')
  const seen: Record<string, number> = {}
  let left = steps
  for await (const step of createInterface({ input: child.stdout })) {
    seen[step] = (seen[step] ?? 0) + 1
    left -= 1
    if (left === 0) child.kill('SIGKILL')
  }
  expect(await ended).toEqual([null, 'SIGKILL'])
  return seen
}

async function acceptedOrders(): Promise<{ orderId: number; customer: number }[]> {
  const installation = openPool({
    url: product.databaseUrl,
    max: 1,
    name: 'test',
    onError: () => {},
  })
  const { rows } = await installation.query(
    'SELECT payload FROM events WHERE tenant_id = $1 ORDER BY seq',
    [product.tenantId],
  )
  await installation.end()
  return rows.map(({ payload }) => JSON.parse(payload))
}

test(
  `${KILLS} kills: each committed order is accepted exactly once, none of a rollback`,
  async () => {
    const total: Record<string, number> = {}
    for (let kill = 0; kill < KILLS; kill += 1) {
      const seen = await runAndKill(1 + Math.floor(Math.random() * MAX_STEPS))
      for (const [step, count] of Object.entries(seen)) total[step] = (total[step] ?? 0) + count
    }
    const posthorn = new Posthorn({ apiKey: product.apiKey, baseUrl: product.url })
    const relay = createRelay({ pool: shop, posthorn })
    relay.start()
    await eventually(
      async () => {
        const { rows } = await shop.query('SELECT count(*)::int AS waiting FROM posthorn_outbox')
        return rows[0].waiting === 0
      },
      { timeoutMs: 60_000, everyMs: 100 },
    )
    await relay.stop()

    const { rows } = await shop.query(
      'SELECT id::int AS "orderId", customer FROM orders ORDER BY id',
    )
    const accepted = await acceptedOrders()
    expect(accepted.toSorted((a, b) => a.orderId - b.orderId)).toEqual(rows)
    for (const customer of [0, 1])
      expect(accepted.filter((order) => order.customer === customer)).toEqual(
        rows.filter((order) => order.customer === customer),
      )
    // The kills came among all of it, or they would show nothing.
    for (const step of ['ordered', 'published', 'ended', 'posting', 'posted'])
      expect({ step, isSeen: (total[step] ?? 0) > KILLS }).toEqual({ step, isSeen: true })
    process.stderr.write(
      `outbox: ${KILLS} kills, ${rows.length} orders, ${JSON.stringify(total)}\n`,
    )
  },
  (60 + KILLS * 8) * 1_000,
)
