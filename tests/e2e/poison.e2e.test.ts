/**
 * Whatever lies on a topic: what can't be parsed goes to its reader's dead-letter topic with the
 * reason, is counted, and holds up nothing behind it. On a real Kafka, as an operator finds it
 * there.
 */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type KafkaConfig, openKafka } from '@posthorn/bus/kafka-client'
import { TOPICS, type TopicName } from '@posthorn/contracts/topics'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

const POISON = [
  { value: '{"v":7,"tenantId":"t"}', kind: 'no-value' },
  { value: '{"v":1', kind: 'no-json' },
  { value: null, kind: 'empty' },
]
const topics = Object.keys(TOPICS) as TopicName[]
const readings = topics.flatMap((topic) => TOPICS[topic].readers.map((group) => ({ topic, group })))

interface Letter {
  group: string
  topic: string
  reason: string
  value: string
}

describe('poison on every topic', () => {
  let posthorn: SharedProduct
  let receiver: Receiver
  let kafka: KafkaConfig
  let ports: number[] = []

  beforeAll(async () => {
    receiver = await startReceiver()
    posthorn = await joinProduct('cluster')
    const text = await readFile(join(posthorn.dataDir, 'cluster.json'), 'utf8')
    const { stores, processes } = JSON.parse(text) as {
      stores: { kafka: { url: string } }
      processes: { port: number }[]
    }
    ports = processes.map(({ port }) => port)
    kafka = { brokers: stores.kafka.url.split(','), clientId: 'stranger', partitions: 8 }
  }, 150_000)

  afterAll(async () => {
    await posthorn.leave()
    await receiver.close()
  }, 60_000)

  async function poison(topics: readonly TopicName[]): Promise<void> {
    const producer = openKafka(kafka).producer()
    await producer.connect()
    // Each kind goes to all partitions: whatever comes next comes behind one.
    const messages = POISON.flatMap(({ value }) =>
      Array.from({ length: kafka.partitions }, (_, partition) => ({ value, partition })),
    )
    for (const topic of topics) {
      const partitions = TOPICS[topic].delivery === 'every' ? 1 : kafka.partitions
      const fitting = messages.filter(({ partition }) => partition < partitions)
      await producer.send({ topic, messages: fitting })
    }
    await producer.disconnect()
  }

  async function readLetters(found: Letter[]): Promise<() => Promise<void>> {
    const groups = [...new Set(readings.map(({ group }) => group))]
    const consumer = openKafka(kafka).consumer({ groupId: randomUUID(), maxWaitTimeInMs: 50 })
    await consumer.connect()
    const names = groups.map((group) => `${group}.dead-letter`)
    await consumer.subscribe({ topics: names, fromBeginning: true })
    await consumer.run({
      eachMessage: async ({ topic, message }) => {
        const header = (name: string) => String(message.headers?.[name])
        found.push({
          group: topic.replace('.dead-letter', ''),
          topic: header('topic'),
          reason: header('reason'),
          value: String(message.value),
        })
      },
    })
    return () => consumer.disconnect()
  }

  test('becomes a dead letter with its reason, is counted, and holds up nothing', async () => {
    const made = await posthorn.call('POST', '/api/v1/endpoints', {
      url: `${receiver.url}/typed`,
      eventTypes: ['poison.*'],
    })
    expect(made.status).toBe(201)
    await poison(topics)
    const sent: string[] = []
    for (const priority of [1, 5, 10]) {
      for (const where of [{ destination: `${receiver.url}/direct` }, { eventType: 'poison.no' }]) {
        sent.push((await posthorn.send({ ...where, priority, payload: { priority } })).id)
      }
    }
    const arrived = () => receiver.requests.map(({ headers }) => headers['x-service-event-id'])
    await eventually(() => expect(arrived()).toEqual(expect.arrayContaining(sent)), {
      timeoutMs: 60_000,
    })

    const letters: Letter[] = []
    const stop = await readLetters(letters)
    // Nobody waits at its start until a service hears what goes to every instance, and then it
    // hears only what comes later. So these topics are poisoned until each has told of it.
    const repeated = topics.filter((topic) => TOPICS[topic].delivery === 'every')
    const toldOf = ({ topic, group }: (typeof readings)[number]) =>
      new Set(
        letters.filter((one) => one.topic === topic && one.group === group).map((one) => one.value),
      )
    try {
      await eventually(
        async () => {
          const values = POISON.map(({ value }) => value ?? '')
          const untold = readings.filter((one) => toldOf(one).size < values.length)
          await poison(repeated.filter((name) => untold.some(({ topic }) => topic === name)))
          for (const { topic, group } of readings) {
            expect({ topic, group, values: [...toldOf({ topic, group })] }).toEqual({
              topic,
              group,
              values: expect.arrayContaining(values),
            })
          }
        },
        { timeoutMs: 60_000, everyMs: 1_000 },
      )
    } finally {
      await stop()
    }
    for (const { value, reason } of letters) {
      if (value === '') expect(reason).toBe('the message has no value')
      else expect(reason).toMatch(value.endsWith('}') ? /^not a value of .+: / : /^not JSON: /)
    }

    const metrics = (
      await Promise.all(
        ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
      )
    ).join('\n')
    const counted = metrics
      .split('\n')
      .filter((line) => line.startsWith('posthorn_bus_poison_total{'))
    for (const { topic, group } of readings) {
      for (const { kind } of POISON) {
        const labels = [`group="${group}"`, `topic="${topic}"`, `reason="${kind}"`]
        const line = counted.find((one) => labels.every((label) => one.includes(label)))
        expect({ labels, counted: Number(line?.split(' ').at(-1)) > 0 }).toEqual({
          labels,
          counted: true,
        })
      }
    }
  }, 150_000)
})
