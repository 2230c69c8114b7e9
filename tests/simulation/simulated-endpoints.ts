/**
 * The customers' endpoints and the network to them: what arrives, when, from which process, and
 * what is answered. The promise of egress is kept: `mayGo` is asked just before the bytes go out. A
 * process that is frozen between the two writes all the same.
 */
import type { Egress, OutgoingRequest, SendResult } from '@posthorn/egress/egress'
import type { Owner, VirtualTime } from './virtual-time.ts'

export interface Reply {
  connectMs: number
  /** ms from the first byte to the answer. */
  answerMs: number
  /** 0 when the endpoint closes the connection. */
  statusCode: number
}

export interface Arrival {
  owner: Owner
  url: string
  body: string
  deliveryId: string
  attemptNumber: number
  beganAt: number
  /** When `mayGo` allowed it. */
  askedAt: number
  at: number
  /** Its process was frozen between that moment and the write. */
  wasStopped: boolean
  statusCode: number
  /** When its process received the answer; null when it has not. */
  answeredAt: number | null
}

export interface SimulatedEndpointsDeps {
  time: VirtualTime
  replyTo(url: string): Reply
  onStep(owner: Owner, what: string): void
  /** `mayGo` has allowed the attempt. */
  onSend(deliveryId: string, owner: Owner): void
  onArrival(arrival: Arrival): void
}

/** The time between the question and the write when nobody is frozen. */
const WRITE_MS = 0.05

/** Sends one attempt: connects, asks `mayGo`, writes, and answers. */
function sendAttempt(
  { time, ...deps }: SimulatedEndpointsDeps,
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

  const { timeoutMs } = request
  time.at(owner, began + Math.min(connectMs, timeoutMs), () => {
    if (connectMs >= timeoutMs) return fail('timeout')
    deps.onStep(owner, 'is about to send')
    // A process that is frozen here goes on when it thaws.
    time.at(owner, time.now(), go)
  })

  function go(): void {
    if (request.mayGo?.() === false) return fail('internal', { withheld: true })
    const askedAt = time.now()
    deps.onSend(about.deliveryId, owner)
    deps.onStep(owner, 'may send')
    // A process that was frozen meanwhile runs this when it thaws.
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
    // The time of an attempt begins with its connection.
    const leftMs = timeoutMs - connectMs
    const late = answerMs > leftMs
    time.at(owner, at + Math.min(answerMs, leftMs), () => {
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

export function createSimulatedEndpoints(
  deps: SimulatedEndpointsDeps,
): (owner: Owner, names: { deliveryId: string; attempt: string }) => Pick<Egress, 'send'> {
  return (owner, names) => ({
    send: (request) =>
      sendAttempt(deps, owner, request, {
        deliveryId: request.headers[names.deliveryId] ?? '',
        attemptNumber: Number(request.headers[names.attempt]),
      }),
  })
}
