/** A network link to Postgres that a test may cut or swallow, and repair. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface PostgresLink {
  url: string
  cut(): void
  /** New connections are closed at once; those that there are stay. */
  cutNew(): void
  /** New connections go to another Postgres, which has the same users. */
  lead(to: URL): void
  /**
   * A black hole: connections are open and accepted, and not a byte comes through, in neither
   * direction.
   */
  swallow(): void
  /** What was swallowed is gone: its connections break, as they do with Toxiproxy. */
  repair(): void
  close(): Promise<void>
}

/**
 * Opens a link to Postgres. Where it is cut, what runs over it breaks, and new connections are
 * closed at once.
 */
export async function openPostgresLink(first: URL): Promise<PostgresLink> {
  let to = first
  const sockets = new Set<Socket>()
  const swallowed = new Set<Socket>()
  let isCut = false
  let swallows = false
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy()
      return
    }
    const onward = connect(Number(to.port || 5432), to.hostname)
    for (const each of [socket, onward]) {
      sockets.add(each)
      each.on('error', () => {})
      each.on('close', () => {
        sockets.delete(each)
        swallowed.delete(each)
        socket.destroy()
        onward.destroy()
      })
    }
    socket.pipe(onward).pipe(socket)
    if (swallows) swallow(socket, onward)
  })
  function swallow(...ends: Socket[]): void {
    for (const end of ends) {
      end.unpipe().resume()
      swallowed.add(end)
    }
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = new URL(to)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    cutNew() {
      isCut = true
    },
    lead(next) {
      to = next
    },
    swallow() {
      swallows = true
      swallow(...sockets)
    },
    repair() {
      isCut = false
      swallows = false
      for (const socket of swallowed) socket.destroy()
    },
    close: () => new Promise((done) => server.close(() => done())),
  }
}

/**
 * Jest runs tests in a realm of their own: an error of Node's sockets is no instance of its Error.
 */
export function ofThisRealm(error: unknown): unknown {
  if (error instanceof Error || typeof error !== 'object' || error === null) return error
  const { message, code } = error as { message?: string; code?: string }
  return Object.assign(new Error(message), { code })
}
