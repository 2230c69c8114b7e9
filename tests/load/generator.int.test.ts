import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Generator, startGenerator } from './generator.ts'

let generator: Generator
let door: string
beforeAll(async () => {
  generator = await startGenerator()
  door = (await generator.open('127.0.0.1:0')).address
}, 330_000) // it is built the first time
afterAll(async () => await generator.stop())

/** Posts straight to the generator's own endpoints, so that what is posted has arrived. */
function sender(endpoint: number, given = {}) {
  return {
    name: 'straight',
    urls: [`http://${door}/${endpoint}`],
    body: '{"n":$N,"pad":"$PAD"}',
    pad: 10,
    count: 200,
    connections: 4,
    fan: 1,
    ...given,
  }
}
const plan = { waitMs: 5_000, idleMs: 5_000 }

test('everything that is posted is counted once, with its latency', async () => {
  const { senders } = await generator.run({ ...plan, senders: [sender(1), sender(2)] })
  for (const one of senders) {
    expect(one).toMatchObject({ accepted: 200, delivered: 200, lost: 0, repeated: 0, refused: {} })
    expect(one.endToEnd.count).toBe(200)
    expect(one.endToEnd.p50).toBeLessThanOrEqual(one.endToEnd.p99)
    expect(one.endToEnd.p99).toBeLessThanOrEqual(one.ack.max)
  }
})

test('an accepted event that never arrives is lost, and a refused one is not', async () => {
  await generator.behave([3], { status: 503 })
  const refused = await generator.run({ ...plan, senders: [sender(3, { count: 5 })] })
  expect(refused.senders[0]).toMatchObject({ accepted: 0, lost: 0, refused: { '503 ': 5 } })
  const nowhere = sender(4, { count: 5, body: '{"no number":1}' })
  const lost = await generator.run({ senders: [nowhere], waitMs: 50, idleMs: 5_000 })
  expect(lost.senders[0]).toMatchObject({ accepted: 5, delivered: 0, lost: 5 })
})

test('an event that arrives twice is repeated', async () => {
  const { from } = await generator.expect(2)
  for (const n of [from, from + 1, from])
    await fetch(`http://${door}/5`, { method: 'POST', body: `{"n":${n}}` })
  expect(await generator.arrivals(from)).toMatchObject({ delivered: 2, repeated: 1 })
})

describe('an endpoint', () => {
  test('with a delay answers late', async () => {
    await generator.behave([6], { delayMs: 200 })
    const { senders } = await generator.run({ ...plan, senders: [sender(6, { count: 4 })] })
    expect(senders[0]?.ack.p50).toBeGreaterThanOrEqual(200)
    expect(senders[0]?.endToEnd.p50).toBeLessThan(senders[0]?.ack.p50 ?? 0)
  })

  test('that hangs answers when its behaviour changes', async () => {
    await generator.behave([7], { hangMs: 60_000 })
    const going = generator.run({ ...plan, senders: [sender(7, { count: 4 })] })
    let hung = 0
    while (hung < 4) ({ hung } = await generator.behave([7], { hangMs: 60_000 }))
    await generator.behave([7], {})
    expect((await going).senders[0]).toMatchObject({ accepted: 4, lost: 0 })
  })

  test('that pauses reads on afterwards', async () => {
    const { at } = await generator.behave([8], { pauseMs: 2_000 })
    const { senders } = await generator.run({ ...plan, senders: [sender(8, { count: 4 })] })
    expect(at).toBeGreaterThan(0)
    expect(senders[0]?.endToEnd.max).toBeGreaterThan(100)
  })

  test('behind a closed door refuses connections until the door is opened again', async () => {
    const { address } = await generator.open('127.0.0.1:0')
    const given = { count: 1, urls: [`http://${address}/9`] }
    await generator.close(address)
    const closed = await generator.run({ ...plan, senders: [sender(9, given)] })
    expect(Object.keys(closed.senders[0]?.refused ?? {})[0]).toContain('connection refused')
    await generator.open(address)
    const open = await generator.run({ ...plan, senders: [sender(9, given)] })
    expect(open.senders[0]).toMatchObject({ accepted: 1, lost: 0 })
  })
})

test('a batch is one call with many items, each with a number and a key', async () => {
  const batch = { batch: 5, body: '[$ITEMS]', item: '{"n":$N,"k":"$K"}', count: 20 }
  const { senders } = await generator.run({ ...plan, senders: [sender(10, { ...batch, fan: 0 })] })
  // The endpoint reads only the first number of a body, so one of each call counts.
  expect(senders[0]).toMatchObject({ accepted: 20, delivered: 4, ack: { count: 4 } })
})
