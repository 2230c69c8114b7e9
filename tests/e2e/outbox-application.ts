/**
 * An application of a customer that takes orders, for a test that kills it: each order is a
 * transaction with its event, half of them are rolled back, and the relay runs beside. It prints a
 * line at each step, so that it can be killed at any of them.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { openPool } from '@posthorn/store/pool'
import { createRelay, publish } from '../../sdks/node/src/outbox.ts'
import type { OutboxClient } from '../../sdks/node/src/outbox/post.ts'
import { Posthorn } from '../../sdks/node/src/posthorn-node.ts'

const [databaseUrl = '', baseUrl = '', apiKey = '', destination = ''] = process.argv.slice(2)
const say = (step: string): boolean => process.stdout.write(`${step}\n`)
const pool = openPool({ url: databaseUrl, max: 8, name: 'shop', onError: () => {} })

const { events } = new Posthorn({ apiKey, baseUrl })
const telling =
  <Body, Answer>(send: (body: Body, options?: object) => Promise<Answer>) =>
  async (body: Body, options?: object): Promise<Answer> => {
    say('posting')
    const answer = await send(body, options)
    say('posted')
    return answer
  }
const posthorn: OutboxClient = {
  events: {
    create: telling(events.create.bind(events)),
    createBatch: telling(events.createBatch.bind(events)),
  },
}

/**
 * The events of the first two customers are ordered, those of the third are not, and those of the
 * last go in batches.
 */
async function takeOrders(customer: number): Promise<never> {
  for (;;) {
    const tx = await pool.connect()
    await tx.query('BEGIN')
    const { rows } = await tx.query('INSERT INTO orders (customer) VALUES ($1) RETURNING id', [
      customer,
    ])
    const payload = { orderId: Number(rows[0].id), customer }
    say('ordered')
    if (customer === 3) await publish(tx, { destination, payload })
    else {
      const options = customer < 2 ? { orderingKey: `customer ${customer}` } : {}
      await publish(tx, { eventType: 'order.made', payload }, options)
    }
    say('published')
    await tx.query(Math.random() < 0.5 ? 'COMMIT' : 'ROLLBACK')
    say('ended')
    tx.release()
    await pause(Math.random() * 40)
  }
}

const relay = createRelay({ pool, posthorn, leaseMs: 1_500, pollMs: 200, concurrency: 4 })
relay.start()
say('started')
await Promise.all([0, 1, 2, 3].map(takeOrders))
