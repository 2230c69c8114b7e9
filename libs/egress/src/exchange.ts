/**
 * One request over one connection, as undici reports it: what was sent when, what came back, and
 * how much of it is kept. It decides nothing about connections; `egress.ts` is told of its end by
 * `onEnd` and does.
 *
 * It is a class because undici calls a handler's methods on every request: five closures for each
 * send would cost more than the rest of this file.
 */
import type { Dispatcher } from 'undici'
import type { IncomingHttpHeaders } from 'undici/types/header.js'
import type { SendFailure } from './error-category.ts'
import { exchangeFailure } from './error-category.ts'
import { codeOf } from './resolve-name.ts'
import { bodyText, keptHeaders } from './response-text.ts'

export interface BodyLimits {
  /** Bytes of the response body that are kept as text. */
  keptBytes: number
  /**
   * Bytes that are read at all; then the response is taken as it is and the connection is closed.
   */
  readBytes: number
}

export interface ReceivedResponse {
  outcome: 'response'
  statusCode: number
  /** The first 4 KiB. */
  headers: Record<string, string>
  /** The first 16 KiB as text. */
  body: string
  bodyTruncated: boolean
}

export type ExchangeEnd =
  /** A connection is not reusable while bytes of the body are still to come. */
  | { response: ReceivedResponse; reusable: boolean }
  | { failure: SendFailure; code: string; responseBegun: boolean }

export class Exchange<Owner> implements Dispatcher.DispatchHandler {
  firstByteOutAt: number | null = null
  readonly #owner: Owner
  readonly #limits: BodyLimits
  readonly #onEnd: (owner: Owner, end: ExchangeEnd) => void
  #ended = false
  #responseBegun = false
  #statusCode = 0
  #headers: IncomingHttpHeaders = {}
  #chunks: Buffer[] = []
  #keptBytes = 0
  #readBytes = 0

  constructor(owner: Owner, limits: BodyLimits, onEnd: (owner: Owner, end: ExchangeEnd) => void) {
    this.#owner = owner
    this.#limits = limits
    this.#onEnd = onEnd
  }

  /** 0 until the response's headers are complete. */
  get statusCode(): number {
    return this.#statusCode
  }

  /** Ignores whatever still arrives. */
  abandon(): void {
    this.#ended = true
    this.#chunks = []
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#ended) controller.abort(new Error('abandoned'))
    else this.firstByteOutAt = performance.now()
  }

  onResponseStarted(): void {
    this.#responseBegun = true
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (statusCode < 200) return
    this.#statusCode = statusCode
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return
    const left = this.#limits.keptBytes - this.#keptBytes
    if (left > 0) {
      const kept = chunk.length <= left ? chunk : chunk.subarray(0, left)
      this.#chunks.push(kept)
      this.#keptBytes += kept.length
    }
    this.#readBytes += chunk.length
    if (this.#readBytes >= this.#limits.readBytes) this.#respond(false)
  }

  onResponseEnd(): void {
    if (!this.#ended) this.#respond(true)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#ended) return
    this.#ended = true
    const code = codeOf(error)
    const failure = exchangeFailure(code, error.message, this.firstByteOutAt !== null)
    this.#onEnd(this.#owner, { failure, code, responseBegun: this.#responseBegun })
  }

  #respond(reusable: boolean): void {
    this.#ended = true
    const bodyTruncated = this.#readBytes > this.#keptBytes
    const response: ReceivedResponse = {
      outcome: 'response',
      statusCode: this.#statusCode,
      headers: keptHeaders(this.#headers),
      body: bodyText(this.#chunks, bodyTruncated),
      bodyTruncated,
    }
    this.#onEnd(this.#owner, { response, reusable })
  }
}
