/**
 * The gateway's quick way: passes whole requests of a known length on as the bytes that they are,
 * and their answers back. Parsing and writing both ends anew cost the gateway twice as much, which
 * was as much as Kafka took.
 *
 * It knows little HTTP on purpose. A connection that shows it anything else (a body in chunks, an
 * upgrade, a request in pieces that grow large, a route that it was not given) is handed over, for
 * good, with what was read and not yet sent on. An answer is not slowed down for a client that
 * reads slowly, so it must be small.
 */
import type { Socket } from 'node:net'
import { createLink, type Link } from './relay-link.ts'

export interface RelayConfig {
  /** Where a request may go, at least one; an empty list: it is not for the quick way. */
  targets(method: string, path: string): readonly URL[]
  /** Takes the connection over; what was read of it comes again. */
  handOver(socket: Socket): void
  /** Nothing came back, and something may have been sent. */
  unanswered: Buffer
  /** An instance says with its answer that it ends. */
  leaving(target: URL): void
}

export interface Relay {
  serve(client: Socket): void
  /**
   * From now on uses no connection to an instance that was made so far: the next process with its
   * port is another one.
   */
  forget(target: URL): void
  /** Ends the connections that have nothing under way, and the others after their answer. */
  close(): void
}

const MAX_HEAD_BYTES = 16 * 1024
/** Larger bodies are worth the other way's flow control. */
const MAX_BODY_BYTES = 256 * 1024
/** Longer than any answer of ours takes. */
const SILENT_MS = 90_000
const HEAD_END = '\r\n\r\n'
const UNUSUAL =
  /\r\n(?:transfer-encoding:|expect:|upgrade:|te:|trailer:|connection:(?![ \t]*keep-alive[ \t]*\r))/i
const LENGTH = /\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*\r/i

/** The connections to one process that have nothing under way. */
interface FreeLinks {
  links: Link[]
}

interface RelayedRequest {
  targets: readonly URL[]
  bytes: Buffer
}

export function createRelay(config: RelayConfig): Relay {
  const clients = new Set<Socket>()
  const links = createFreeLinks()
  let closing = false
  let turn = 0

  function serve(client: Socket): void {
    let waiting: Buffer | undefined
    let busy = false
    let ended = false
    clients.add(client)
    client.setNoDelay(true)
    client.setTimeout(SILENT_MS, () => client.destroy())
    client.on('error', () => undefined)
    client.once('close', () => clients.delete(client))

    client.on('data', onData)
    client.on('end', onEnd)

    function onData(chunk: Buffer): void {
      waiting = waiting === undefined ? chunk : Buffer.concat([waiting, chunk])
      if (!busy) advance()
    }

    function onEnd(): void {
      ended = true
      if (!busy) client.end()
    }

    function advance(): void {
      if (waiting === undefined) return
      const request = parse(waiting, config.targets)
      if (request === 'more') return
      if (request === 'other') return leave(waiting)
      waiting = undefined
      busy = true
      turn += 1
      forward(inTurn(request, turn), client, { links, config }, (kept) => {
        busy = false
        if (!kept || closing || ended) client.end()
        else advance()
      })
    }

    function leave(read: Buffer): void {
      client.off('data', onData)
      client.off('end', onEnd)
      clients.delete(client)
      handOver(client, read, config)
    }
  }

  return {
    serve,
    forget: links.forget,
    close() {
      closing = true
      for (const client of clients) client.end()
      links.close()
    },
  }
}

/** Sends to the first of the targets that can be reached. */
function forward(
  { bytes, targets }: RelayedRequest,
  client: Socket,
  { links, config }: { links: ReturnType<typeof createFreeLinks>; config: RelayConfig },
  done: (kept: boolean) => void,
): void {
  const [target, ...others] = targets
  if (target === undefined) {
    client.write(config.unanswered)
    return done(false)
  }
  const { link, giveBack } = links.take(target)
  link.send(bytes, client, (outcome) => {
    if (outcome === 'unreached')
      return forward({ bytes, targets: others }, client, { links, config }, done)
    if (outcome === 'leaving') config.leaving(target)
    if (outcome === 'broken') client.write(config.unanswered)
    if (outcome === 'answered') giveBack()
    else link.close()
    done(outcome === 'answered')
  })
}

/** Gives a connection away together with what was read from it. */
function handOver(client: Socket, read: Buffer, config: RelayConfig): void {
  client.setTimeout(0)
  client.pause()
  client.unshift(read)
  config.handOver(client)
  client.resume()
}

function inTurn({ bytes, targets }: RelayedRequest, turn: number): RelayedRequest {
  const first = turn % targets.length
  return { bytes, targets: [...targets.slice(first), ...targets.slice(0, first)] }
}

/** Connections to the instances that have nothing under way. */
function createFreeLinks() {
  const processes = new Map<string, FreeLinks>()
  return {
    /** One that is free, else a new one. */
    take(target: URL): { link: Link; giveBack(): void } {
      const free = processes.get(target.origin) ?? { links: [] }
      processes.set(target.origin, free)
      let link = free.links.pop()
      while (link !== undefined && !link.usable()) link = free.links.pop()
      const taken = link ?? createLink(target)
      return {
        link: taken,
        giveBack() {
          // Its process may have been forgotten meanwhile.
          if (processes.get(target.origin) === free) free.links.push(taken)
          else taken.close()
        },
      }
    },
    forget(target: URL): void {
      for (const link of processes.get(target.origin)?.links ?? []) link.close()
      processes.delete(target.origin)
    },
    close(): void {
      for (const { links } of processes.values()) for (const link of links) link.close()
    },
  }
}

/** `more`: the request is not complete yet. `other`: it is for the other way. */
function parse(
  bytes: Buffer,
  targetsOf: RelayConfig['targets'],
): RelayedRequest | 'more' | 'other' {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return bytes.length > MAX_HEAD_BYTES ? 'other' : 'more'
  const head = bytes.toString('latin1', 0, end + 2)
  const [method = '', path = ''] = head.slice(0, head.indexOf('\r\n')).split(' ')
  const length = Number(LENGTH.exec(head)?.[1] ?? -1)
  if (length < 0 || length > MAX_BODY_BYTES || UNUSUAL.test(head)) return 'other'
  const targets = targetsOf(method, path)
  if (targets.length === 0) return 'other'
  const size = end + HEAD_END.length + length
  if (bytes.length < size) return 'more'
  // Two requests at once on one connection: nobody who is in a hurry does that.
  return bytes.length > size ? 'other' : { targets, bytes }
}
