/**
 * A connection to an instance, for one request after the other: it passes an answer back as it
 * comes and sees where the answer ends.
 */
import { connect, type Socket } from 'node:net'

/**
 * `answered`: the connection is good for the next request. `last`: it was answered, and the
 * connection is not. `leaving`: like `last`, by an instance that says it ends. `unreached`: nothing
 * was sent. `broken`: something was sent and no answer came. `cut`: the answer did not come to its
 * end.
 */
export type LinkOutcome = 'answered' | 'last' | 'leaving' | 'unreached' | 'broken' | 'cut'

export interface Link {
  usable(): boolean
  send(request: Buffer, client: Socket, done: (outcome: LinkOutcome) => void): void
  close(): void
}

/** Services end a connection that was idle for 5 s: one that is about to end is not used. */
const MAX_IDLE_MS = 3_000
/** Longer than any answer of ours takes. */
const SILENT_MS = 90_000
const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*\r/i
const CLOSES = /\r\nconnection:[ \t]*close/i

interface LinkExchange {
  client: Socket
  done: (outcome: LinkOutcome) => void
  /** The answer's head, until it is complete. */
  head: Buffer | undefined
  /**
   * Bytes that are still to come; infinite where the end of the connection is the end of the
   * answer.
   */
  left: number
  begun: boolean
  last: boolean
  leaving: boolean
}

export function createLink({ hostname, port }: URL): Link {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.setTimeout(SILENT_MS, () => socket.destroy())
  let reached = false
  let freeSince = performance.now()
  let current: LinkExchange | undefined

  function finish(outcome: LinkOutcome): void {
    const exchange = current
    current = undefined
    freeSince = performance.now()
    exchange?.done(outcome)
  }

  function begin(exchange: LinkExchange, chunk: Buffer): void {
    const bytes = exchange.head === undefined ? chunk : Buffer.concat([exchange.head, chunk])
    const end = bytes.indexOf(HEAD_END)
    if (end < 0) {
      exchange.head = bytes
      return
    }
    const head = bytes.toString('latin1', 0, end + 2)
    const length = LENGTH.exec(head)?.[1]
    exchange.begun = true
    exchange.leaving = CLOSES.test(head)
    exchange.last = length === undefined || exchange.leaving
    exchange.left = length === undefined ? Number.POSITIVE_INFINITY : Number(length)
    // For an answer in chunks the instance is asked to end the connection with it, which shows
    // where it ends.
    if (length === undefined) socket.end()
    pass(exchange, bytes, bytes.length - end - HEAD_END.length)
  }

  function pass(exchange: LinkExchange, bytes: Buffer, ofBody: number): void {
    exchange.client.write(bytes)
    exchange.left -= ofBody
    if (exchange.left > 0) return
    if (exchange.last || exchange.left < 0) socket.destroy()
    if (exchange.leaving) finish('leaving')
    else finish(exchange.last || exchange.left < 0 ? 'last' : 'answered')
  }

  socket.on('connect', () => {
    reached = true
  })
  socket.on('data', (chunk) => {
    if (current === undefined) socket.destroy()
    else if (current.begun) pass(current, chunk, chunk.length)
    else begin(current, chunk)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    if (current === undefined) return
    if (!reached) finish('unreached')
    else if (!current.begun) finish('broken')
    else if (current.left !== Number.POSITIVE_INFINITY) finish('cut')
    else finish(current.leaving ? 'leaving' : 'last')
  })

  return {
    usable: () => socket.writable && performance.now() - freeSince < MAX_IDLE_MS,
    send(request, client, done) {
      current = {
        client,
        done,
        head: undefined,
        left: 0,
        begun: false,
        last: false,
        leaving: false,
      }
      socket.write(request)
    },
    close: () => void socket.destroy(),
  }
}
