/**
 * `@posthorn/node/next`: a route handler for Next's app router, and for whatever else answers a
 * `Request` with a `Response`, at the edge too.
 */
import {
  createReceive,
  readBody,
  TOO_LARGE,
  type WebhookHandler,
  type WebhookOptions,
} from './adapters/receive.ts'

export type { WebhookHandler, WebhookOptions } from './adapters/receive.ts'

export function webhook<Events extends object = Record<never, unknown>>(
  options: WebhookOptions,
  handle: WebhookHandler<Events, Request>,
): (request: Request) => Promise<Response> {
  const receive = createReceive<Events>(options)
  return async (request) => {
    const body = await readBody(chunksOf(request), receive.maxBodyBytes)
    const { status, text } =
      body === null
        ? TOO_LARGE
        : await receive(body, request.headers, (event) => handle(event, request))
    return new Response(status === 204 ? null : text, { status })
  }
}

/** By a reader, because not every runtime iterates over streams. */
async function* chunksOf({ body }: Request): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  if (reader === undefined) return
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
  } finally {
    await reader.cancel()
  }
}
