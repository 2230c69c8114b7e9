import type { IncomingMessage } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { createPassedUpgrades } from './pass-upgrade.ts'

test('a client that leaves before the service is reached leaves no connection to it', async () => {
  const reached: Socket[] = []
  const server = createServer((socket) => void reached.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const upgrades = createPassedUpgrades(Buffer.from('HTTP/1.1 503 Service Unavailable\r\n\r\n'))
  try {
    const client = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    const request = { method: 'GET', url: '/', rawHeaders: [], headers: {}, socket: {} }
    const targets = [new URL(`http://127.0.0.1:${port}`)]
    upgrades.pass(request as unknown as IncomingMessage, client, Buffer.alloc(0), targets)
    client.destroy()
    await eventually(() => expect(reached).toHaveLength(1))
    reached[0]?.resume()
    await eventually(() => expect(reached[0]?.closed).toBe(true))
  } finally {
    upgrades.close()
    for (const socket of reached) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
})
