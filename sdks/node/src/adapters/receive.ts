/**
 * What the adapters share: the raw body within a limit, the signature, and what to answer. An
 * endpoint that answers 2xx has taken the event; any other answer has it delivered again.
 */
import {
  type TypedWebhookEvent,
  type VerifyOptions,
  verify,
  type HeadersLike,
  WebhookVerificationError,
} from '../webhooks.ts'

export interface WebhookOptions extends VerifyOptions {
  /** The endpoint's signing secret, or several while one is being rotated. */
  secrets: string | readonly string[]
  /** Default: 1 MiB, four times what an installation sends by default. */
  maxBodyBytes?: number
}

/** The delivery is answered once this is done; where it throws, the event is delivered again. */
export type WebhookHandler<Events extends object, Context> = (
  event: TypedWebhookEvent<Events>,
  context: Context,
) => unknown

export interface WebhookAnswer {
  status: 204 | 401 | 413
  text: string
}

const MAX_BODY_BYTES = 1024 * 1024
export const TOO_LARGE: WebhookAnswer = { status: 413, text: 'the body is too large' }

export interface Receive<Events extends object> {
  maxBodyBytes: number
  (
    body: Uint8Array | string,
    headers: HeadersLike,
    handle: (event: TypedWebhookEvent<Events>) => unknown,
  ): Promise<WebhookAnswer>
}

/** Throws a TypeError without a secret, when the application starts and not at the first event. */
export function createReceive<Events extends object>(options: WebhookOptions): Receive<Events> {
  const { secrets, maxBodyBytes = MAX_BODY_BYTES, ...verifyOptions } = options
  const all = typeof secrets === 'string' ? [secrets] : secrets
  if (!Array.isArray(all) || all.length === 0 || all.some((one) => !one))
    throw new TypeError('secrets must be the signing secret of the endpoint, or a list of them')
  const receive = async (
    body: Uint8Array | string,
    headers: HeadersLike,
    handle: (event: TypedWebhookEvent<Events>) => unknown,
  ): Promise<WebhookAnswer> => {
    if (body.length > maxBodyBytes) return TOO_LARGE
    try {
      await handle(await verified(body, headers))
      return { status: 204, text: '' }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { status: 401, text: error.message }
    }
  }
  async function verified(body: Uint8Array | string, headers: HeadersLike) {
    try {
      return await verify<Events>(body, headers, all, verifyOptions)
    } catch (error) {
      // Not one that the application's own function throws.
      if (error instanceof WebhookVerificationError) throw new Refused(error.message)
      throw error
    }
  }
  return Object.assign(receive, { maxBodyBytes })
}

class Refused extends Error {}

/** @returns null beyond the limit */
export async function readBody(
  chunks: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    length += bytes.length
    if (length > maxBytes) return null
    parts.push(bytes)
  }
  const body = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    body.set(part, at)
    at += part.length
  }
  return body
}
