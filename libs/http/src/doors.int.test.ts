import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { createDoors } from './doors.ts'

/** Elsewhere there is one socket, and each connection has a turn of its own. */
const MOST_TURNS = process.platform === 'linux' ? 32 : 64

// One listening socket gives out one connection a turn: of 64 the last came after 64 turns, which
// were 2 s while a flood kept the loop busy.
test('connections that come together are taken many in a turn of the loop', async () => {
  const server = createServer()
  const doors = createDoors(server, 1_000)
  const port = await doors.listen('127.0.0.1', 0)
  let turn = 0
  const takenIn: number[] = []
  server.on('connection', () => void takenIn.push(turn))
  const sockets = Array.from({ length: 64 }, () => connect(port, '127.0.0.1'))
  for (; takenIn.length < sockets.length; turn += 1) await setImmediate()
  expect(new Set(takenIn).size).toBeLessThanOrEqual(MOST_TURNS)
  const ended = Promise.all(sockets.map((socket) => once(socket, 'close')))
  for (const socket of sockets) socket.destroy()
  await ended
  await doors.close()
})
