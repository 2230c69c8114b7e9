/**
 * The sockets of one bus, so that none outlives it: a kafkajs client that is disconnected while it
 * connects keeps the connection that comes about afterwards, and a timer with it.
 */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ISocketFactory } from 'kafkajs'

export interface KafkaSockets {
  open: ISocketFactory
  /** Ends the sockets that are left, and each that is opened from now on. */
  close(): void
}

const KEEP_ALIVE_MS = 60_000

export function createKafkaSockets(): KafkaSockets {
  const open = new Set<Socket>()
  let closed = false

  /**
   * With an error, because kafkajs ends a connection's timer after an error and not after a mere
   * close.
   */
  const end = (socket: Socket): Socket => socket.destroy(new Error('the bus was closed'))

  return {
    open({ host, port, ssl, onConnect }) {
      const name = isIP(host) === 0 ? { servername: host } : {}
      // kafkajs gives null without TLS, against its types.
      const tls = ssl as typeof ssl | null | undefined
      const socket = tls
        ? connectTls({ host, port, ...name, ...tls }, onConnect)
        : connect({ host, port }, onConnect)
      socket.setKeepAlive(true, KEEP_ALIVE_MS)
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      if (closed) setImmediate(end, socket)
      return socket
    },
    close() {
      closed = true
      for (const socket of open) end(socket)
    },
  }
}
