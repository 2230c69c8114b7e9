/** Results and the Postgres that is to record them: away for a while, or refusing a row. */
import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openPool } from '@posthorn/store/pool'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { createGate, createRig, type Rig } from '../dispatcher.fixture.ts'

let rig: Rig
let receiver: Receiver
beforeEach(async () => {
  rig = await createRig()
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.close()
  await rig.close()
})

/** A link to Postgres that can be cut. */
async function startLink(to: string) {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  let cut = false
  const server = createServer((near) => {
    if (cut) return void near.destroy()
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = new URL(to)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cut() {
      cut = true
      for (const socket of sockets) socket.destroy()
    },
    repair() {
      cut = false
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

test('results wait for a Postgres that is away, and none is lost or made twice', async () => {
  const link = await startLink(rig.databaseUrl)
  const pool = openPool({
    url: link.url,
    max: 4,
    name: 'dispatcher behind a link',
    onError: () => {},
  })
  const dispatcher = await rig.start({ pool })
  const gate = createGate()
  receiver.answer(async () => {
    await gate.opened
    return {}
  })
  const destinations = Array.from({ length: 30 }, (_, n) => ({
    destination: `${receiver.url}/${n}`,
  }))
  rig.announce(await rig.accept(destinations))
  await receiver.waitFor(30)
  link.cut()
  gate.open()
  await eventually(() => {
    const waiting = rig.lines.filter(({ name }) => name === 'attempts.not-recorded')
    expect(waiting.length).toBeGreaterThan(2)
  })
  expect(new Set(Object.values(await rig.states()))).not.toContain('delivered')
  link.repair()
  await eventually(async () =>
    expect(new Set(Object.values(await rig.states()))).toEqual(new Set(['delivered'])),
  )
  expect(await rig.count('attempts')).toBe(30)
  expect(receiver.requests).toHaveLength(30)
  await dispatcher.stop(1_000)
  await pool.end()
  await link.close()
})

test('a row that Postgres refuses is recorded without what the endpoint sent, and delays no other', async () => {
  await rig.pool.query(
    `ALTER TABLE attempts ADD CONSTRAINT clean CHECK (response_body NOT LIKE '%poison%')`,
  )
  receiver.answer(({ path }) => ({
    status: path === '/fails' ? 500 : 200,
    body: path.startsWith('/good') ? 'fine' : 'poison',
  }))
  await rig.start()
  const paths = ['/good/1', '/fails', '/good/2', '/works', '/good/3']
  const messages = await rig.accept(paths.map((path) => ({ destination: receiver.url + path })))
  rig.announce(messages)
  await eventually(async () => expect(await rig.count('attempts')).toBe(5))
  const byPath = new Map(messages.map((message, n) => [paths[n], message.deliveryId]))
  const states = await rig.states()
  expect(paths.map((path) => states[byPath.get(path) as string])).toEqual([
    'delivered',
    'waiting',
    'delivered',
    'delivered',
    'delivered',
  ])
  const [fails] = await rig.attempts(byPath.get('/fails'))
  expect(fails).toMatchObject({
    status_code: 500,
    error: 'internal: could not be stored',
    response_body: '',
  })
  const [works] = await rig.attempts(byPath.get('/works'))
  expect(works).toMatchObject({ status_code: 200, error: '', response_body: '' })
  expect((await rig.attempts(byPath.get('/good/1')))[0]).toMatchObject({ response_body: 'fine' })
})
