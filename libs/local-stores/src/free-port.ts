/**
 * Finds a loopback port that nobody listens on at the moment. It is not reserved: whoever needs a
 * promise listens on port 0.
 *
 * It is none of those that the system gives to outgoing connections (Linux: from 32768, others:
 * from 49152): while a server is down such a connection could take its port, even the very
 * connection that asks whether it is up again.
 */
import { createServer } from 'node:net'

const FROM = 12_000
const TO = 32_000
const MAX_ATTEMPTS = 1_000
/** Ports given out by this process, on which perhaps nobody listens yet. */
const given = new Set<number>()

export async function freePort(): Promise<number> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const port = FROM + Math.floor(Math.random() * (TO - FROM))
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`no port between ${FROM} and ${TO} is free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise<boolean>((done) => {
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}
