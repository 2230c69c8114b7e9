/**
 * Opens a socket for a route: resolves the name, checks each address, connects to one of those that
 * passed, shakes hands. Every connection goes through here, literal addresses too, so each is
 * checked anew whatever was decided before.
 *
 * It has no timer for the whole: the attempt that asked for the socket owns the deadline, and
 * cancels.
 */
import type { Socket } from 'node:net'
import { connect as connectTcp, isIP } from 'node:net'
import type { SecureContext, TLSSocket } from 'node:tls'
import { connect as connectTls } from 'node:tls'
import type { AddressPolicy } from './address-policy.ts'
import type { SendFailure } from './error-category.ts'
import { connectFailure, dnsFailure, tlsFailure } from './error-category.ts'
import type { Lookup } from './resolve-name.ts'
import { codeOf } from './resolve-name.ts'

export interface EgressRoute {
  /** A name or an address, without brackets. */
  hostname: string
  port: number
  addressPolicy: AddressPolicy
  /** Undefined: plain http. */
  secureContext: SecureContext | undefined
  /** The last TLS session of this route, to be resumed: a third of the CPU of a full handshake. */
  session: Buffer | undefined
}

export type OpenPhase = 'dns' | 'connect' | 'tls'

export interface Opening {
  phase(): OpenPhase
  cancel(): void
}

export type OpenOutcome =
  | { outcome: 'open'; socket: Socket }
  | ({ outcome: 'failed' } & SendFailure)

/** A name with a thousand addresses must not make us connect to a thousand. */
const MAX_ADDRESSES = 6
/** RFC 8305's delay before the next address is tried, beside one that has not answered yet. */
const STAGGER_MS = 250

interface ConnectAttempt {
  phase: OpenPhase
  cancelled: boolean
  sockets: Set<Socket>
  timer: NodeJS.Timeout | undefined
}

type LookupOfOwner = (hostname: string) => ReturnType<Lookup>

/** `done` is called once and never synchronously, or not at all after `cancel`. */
export function openSocket(
  route: EgressRoute,
  lookup: LookupOfOwner,
  done: (opened: OpenOutcome) => void,
): Opening {
  const attempt: ConnectAttempt = {
    phase: 'dns',
    cancelled: false,
    sockets: new Set(),
    timer: undefined,
  }
  void open(route, lookup, attempt).then((opened) => {
    if (!attempt.cancelled) done(opened)
    else if (opened.outcome === 'open') opened.socket.destroy()
  })
  return {
    phase: () => attempt.phase,
    cancel() {
      attempt.cancelled = true
      clearTimeout(attempt.timer)
      for (const socket of attempt.sockets) socket.destroy()
    },
  }
}

async function open(
  route: EgressRoute,
  lookup: LookupOfOwner,
  attempt: ConnectAttempt,
): Promise<OpenOutcome> {
  const vetted = await vettedAddresses(route, lookup)
  if (!Array.isArray(vetted)) return failed(vetted)
  attempt.phase = 'connect'
  const opened = await connectFirst(vetted, route, attempt)
  if (opened.outcome === 'failed') return opened
  const strayed = straysFrom(opened.socket, route)
  if (strayed) {
    opened.socket.destroy()
    return failed({ category: 'blocked', detail: strayed })
  }
  if (!route.secureContext) return opened
  attempt.phase = 'tls'
  return shakeHands(opened.socket, route, route.secureContext, attempt)
}

function failed(failure: SendFailure): OpenOutcome {
  return { outcome: 'failed', ...failure }
}

/** A name's blocked addresses are left out. If none remain, the outcome is `blocked`. */
async function vettedAddresses(
  route: EgressRoute,
  lookup: LookupOfOwner,
): Promise<string[] | SendFailure> {
  const { hostname, addressPolicy } = route
  let addresses: readonly string[] = [hostname]
  if (!isIP(hostname)) {
    try {
      addresses = await lookup(hostname)
    } catch (error) {
      return dnsFailure(hostname, codeOf(error))
    }
  }
  const vetted: string[] = []
  let refusal: string | undefined
  for (const address of addresses) {
    const reason = addressPolicy(address)
    if (reason === undefined) vetted.push(address)
    else refusal ??= reason
  }
  if (vetted.length > 0) return vetted.slice(0, MAX_ADDRESSES)
  return refusal ? { category: 'blocked', detail: refusal } : dnsFailure(hostname, 'ENODATA')
}

/**
 * Connects to the addresses in order, to the next as soon as the last failed or took too long. The
 * first that answers wins.
 */
function connectFirst(
  addresses: readonly string[],
  route: EgressRoute,
  attempt: ConnectAttempt,
): Promise<OpenOutcome> {
  return new Promise((resolve) => {
    let next = 0
    let pending = 0
    let first: SendFailure | undefined

    function settle(opened: OpenOutcome, winner?: Socket): void {
      clearTimeout(attempt.timer)
      for (const socket of attempt.sockets) if (socket !== winner) socket.destroy()
      resolve(opened)
    }

    function connectNext(): void {
      clearTimeout(attempt.timer)
      const address = addresses[next++]
      // It may have been cancelled while the name was being resolved. Nobody waits for the promise
      // then.
      if (address === undefined || attempt.cancelled) return
      pending++
      const socket = connectTcp({ host: address, port: route.port, noDelay: true })
      attempt.sockets.add(socket)
      const onError = (error: Error): void => {
        attempt.sockets.delete(socket)
        pending--
        const failure = connectFailure(`${address} port ${route.port}`, codeOf(error))
        // Our own shortage explains the rest; else the failure of the first address is the best
        // explanation.
        first = first && failure.category !== 'internal' ? first : failure
        if (next < addresses.length) connectNext()
        else if (pending === 0) settle(failed(first))
      }
      socket.once('error', onError)
      socket.once('connect', () => {
        socket.removeListener('error', onError)
        // Until its next owner listens. Nobody needs the errors of the sockets that lost.
        socket.on('error', ignore)
        settle({ outcome: 'open', socket }, socket)
      })
      if (next < addresses.length) attempt.timer = setTimeout(connectNext, STAGGER_MS)
    }

    connectNext()
  })
}

function ignore(): void {}

/**
 * The address that the socket reached is checked as well: whatever is in between, the bytes go to a
 * vetted one.
 */
function straysFrom(socket: Socket, route: EgressRoute): string | undefined {
  const reached = socket.remoteAddress
  return reached === undefined ? undefined : route.addressPolicy(reached)
}

function shakeHands(
  raw: Socket,
  route: EgressRoute,
  secureContext: SecureContext,
  attempt: ConnectAttempt,
): Promise<OpenOutcome> {
  return new Promise((resolve) => {
    const isName = isIP(route.hostname) === 0
    const socket: TLSSocket = connectTls({
      socket: raw,
      host: route.hostname,
      ...(isName ? { servername: route.hostname } : {}),
      secureContext,
      // Set here because an environment variable can turn the default off.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      ...(route.session ? { session: route.session } : {}),
    })
    attempt.sockets.add(socket)
    const onError = (error: Error): void => {
      socket.destroy()
      raw.destroy()
      resolve(failed(tlsFailure(codeOf(error), error.message)))
    }
    socket.once('error', onError)
    // It is closed without an error when the peer ends politely in the middle of the handshake.
    socket.once('close', () => onError(new Error('the connection was closed during the handshake')))
    socket.once('secureConnect', () => {
      socket.removeListener('error', onError)
      socket.removeAllListeners('close')
      socket.on('error', ignore)
      resolve({ outcome: 'open', socket })
    })
    socket.on('session', (session) => {
      route.session = session
    })
  })
}
