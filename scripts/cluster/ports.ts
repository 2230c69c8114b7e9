/**
 * Gives a cluster's processes their ports: a block that no other cluster takes, for as long as this
 * one runs. While a process is replaced nobody listens on its port, and another cluster that took
 * it then would be sent this one's requests.
 *
 * At the start it avoids other ports in a block that somebody listens on; it does not keep anybody
 * out later.
 */
import { createServer, type Server } from 'node:net'

export interface Ports {
  next(): Promise<number>
  close(): Promise<void>
}

/**
 * Below what the tests and the stores take at random (from 12,000), and what the system gives to
 * connections.
 */
const FROM = 10_000
const TO = 12_000
/**
 * 6 services of 16 instances, the first port that stands for the block, and 3 that may be taken.
 */
const BLOCK = 100

export async function reservePorts(): Promise<Ports> {
  const blocks = (TO - FROM) / BLOCK
  const first = Math.floor(Math.random() * blocks)
  for (let attempts = 0; attempts < blocks; attempts += 1) {
    const base = FROM + ((first + attempts) % blocks) * BLOCK
    const reserved = await listen(base)
    if (reserved !== null) return portsOf(base, reserved)
  }
  throw new Error(`of the ports ${FROM} to ${TO} none is free for this cluster`)
}

function portsOf(base: number, reserved: Server): Ports {
  let given = base
  return {
    async next() {
      while (given < base + BLOCK - 1) {
        given += 1
        const free = await listen(given)
        if (free === null) continue
        await closed(free)
        return given
      }
      throw new Error(`of the ports ${base} to ${base + BLOCK} too few are free`)
    },
    close: () => closed(reserved),
  }
}

/** @returns null where somebody else listens */
async function listen(port: number): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy())
  return await new Promise((done) => {
    server.once('error', () => done(null))
    server.listen(port, '127.0.0.1', () => done(server))
  })
}

async function closed(server: Server): Promise<void> {
  await new Promise((done) => server.close(done))
}
