/**
 * The customers' endpoints, and the way to them: what arrives, when, from whom, and what is answered. Egress's promise is
 * kept: `mayGo` is asked just before the bytes go out; a process that is frozen between the two writes all the same.
 */
import type { Egress, OutgoingRequest, SendResult } from '@posthorn/egress/egress'
import type { Owner, VirtualTime } from './virtual-time.ts'

export interface Reply {
  connectMs: number
  /** From the first byte to the answer. */
  answerMs: number
  /** 0: it hangs up. */
  statusCode: number
}

export interface Arrival {
  owner: Owner
  url: string
  body: string
  deliveryId: string
  attemptNumber: number
  beganAt: number
  /** When it was asked whether it may go. */
  askedAt: number
  at: number
  /** Its process was stopped between that and the wire. */
  wasStopped: boolean
  statusCode: number
  /** Whether its process heard of it. */
  answeredAt: number | null
}

export interface SimulatedEndpointsDeps {
  time: VirtualTime
  replyTo(url: string): Reply
  onStep(owner: Owner, what: string): void
  /** It has been told that it may go. */
  onSend(deliveryId: string, owner: Owner): void
  onArrival(arrival: Arrival): void
}

/** Between the question and the wire is no more than this when nobody is stopped. */
const WRITE_MS = 0.05

export function createSimulatedEndpoints(
  deps: SimulatedEndpointsDeps,
): (owner: Owner, names: { deliveryId: string; attempt: string }) => Pick<Egress, 'send'> {
  const { time } = deps

  function send(
    owner: Owner,
    request: OutgoingRequest,
    about: { deliveryId: string; attemptNumber: number },
  ): Promise<SendResult> {
    const { promise, resolve } = Promise.withResolvers<SendResult>()
    const began = time.now()
    const { connectMs, answerMs, statusCode } = deps.replyTo(request.url)
    const fail = (category: 'timeout' | 'reset' | 'internal', more: object = {}): void =>
      resolve({
        outcome: 'error',
        category,
        detail: category,
        firstByteOutAt: null,
        lastByteInAt: time.now(),
        durationMs: time.now() - began,
        ...more,
      })

    time.at(owner, began + connectMs, () => {
      deps.onStep(owner, 'is about to send')
      // One that is stopped just here goes on when it is thawed.
      time.at(owner, time.now(), go)
    })

    function go(): void {
      if (request.mayGo?.() === false) return fail('internal', { withheld: true })
      const askedAt = time.now()
      deps.onSend(about.deliveryId, owner)
      deps.onStep(owner, 'may send')
      // A frozen process runs this when it is thawed.
      time.at(owner, askedAt + WRITE_MS, () => write(askedAt))
    }

    function write(askedAt: number): void {
      const at = time.now()
      const arrival: Arrival = {
        owner,
        url: request.url,
        body: String(request.body),
        ...about,
        beganAt: began,
        askedAt,
        at,
        wasStopped: at - askedAt > 2 * WRITE_MS,
        statusCode,
        answeredAt: null,
      }
      deps.onArrival(arrival)
      deps.onStep(owner, 'has sent')
      const late = answerMs > request.timeoutMs
      time.at(owner, at + Math.min(answerMs, request.timeoutMs), () => {
        arrival.answeredAt = time.now()
        if (late) return fail('timeout')
        if (statusCode === 0) return fail('reset')
        resolve({
          outcome: 'response',
          statusCode,
          headers: {},
          body: '',
          bodyTruncated: false,
          firstByteOutAt: at,
          lastByteInAt: time.now(),
          durationMs: time.now() - began,
        } as unknown as SendResult)
      })
    }
    return promise
  }

  return (owner, names) => ({
    send: (request) =>
      send(owner, request, {
        deliveryId: request.headers[names.deliveryId] ?? '',
        attemptNumber: Number(request.headers[names.attempt]),
      }),
  })
}
