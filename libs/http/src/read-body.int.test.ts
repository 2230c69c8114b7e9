/** What a body costs beside its bytes: one that comes whole is not watched. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { createBodyCapacity } from './body-capacity.ts'
import { readText } from './read-body.ts'

const HEAD = 'POST / HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: 5\r\n\r\n'

/** A server that answers with the body, and counts the bodies that may be cut off. */
async function startServer() {
  const capacity = createBodyCapacity({ largestBody: 1_000 })
  const counts = { watched: 0 }
  const server = createServer((request, response) => {
    const reservation = capacity({ tenantId: 't', senderId: 's' })
    const watch = reservation.reading.bind(reservation)
    reservation.reading = (cut) => {
      counts.watched += 1
      watch(cut)
    }
    void readText(request, 1_000, reservation).then((text) => response.end(text))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  /** Sends `first` at once, and `rest` when the server watches the body that `first` began. */
  async function send(first: string, rest?: string): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => (answer += String(data)))
    socket.write(first)
    if (rest !== undefined) {
      const before = counts.watched
      await eventually(() => counts.watched > before)
      socket.write(rest)
    }
    await once(socket, 'close')
    return answer
  }
  return { server, counts, send }
}

test('a body that comes in one packet with its headers is not watched; one that comes later is', async () => {
  const { server, counts, send } = await startServer()
  try {
    for (let n = 0; n < 20; n += 1) expect(await send(`${HEAD}12345`)).toMatch(/\r\n\r\n12345$/)
    expect(counts.watched).toBe(0)
    expect(await send(`${HEAD}123`, '45')).toMatch(/\r\n\r\n12345$/)
    expect(counts.watched).toBe(1)
  } finally {
    server.close()
  }
})
