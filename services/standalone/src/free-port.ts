/**
 * Finds a port that nobody listens on. For `PORT=0`, where the URL must be known before the
 * services are made.
 */
import { createServer } from 'node:net'

export async function freePort(host: string): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}
