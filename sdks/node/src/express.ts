/** `@posthorn/node/express`: a handler of webhooks for Express, Connect and `node:http`. */
import {
  createReceive,
  readBody,
  TOO_LARGE,
  type WebhookAnswer,
  type WebhookHandler,
  type WebhookOptions,
} from './adapters/receive.ts'

export type { WebhookHandler, WebhookOptions } from './adapters/receive.ts'

export interface ExpressRequestLike extends AsyncIterable<Uint8Array | string> {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body?: unknown
}

export interface ExpressResponseLike {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(text?: string): unknown
}

/**
 * Takes the bytes of `express.raw`, or reads them itself. After `express.json` they are gone: put
 * the route before it.
 */
export function webhook<
  Events extends object = Record<never, unknown>,
  Request extends ExpressRequestLike = ExpressRequestLike,
>(options: WebhookOptions, handle: WebhookHandler<Events, Request>) {
  const receive = createReceive<Events>(options)
  return (
    request: Request,
    response: ExpressResponseLike,
    next: (error?: unknown) => void,
  ): void => {
    bodyOf(request, receive.maxBodyBytes)
      .then(async (body) =>
        body === null
          ? TOO_LARGE
          : await receive(body, request.headers, (event) => handle(event, request)),
      )
      .then((answer) => send(response, answer), next)
  }
}

function send(response: ExpressResponseLike, { status, text }: WebhookAnswer): void {
  response.statusCode = status
  // The rest of the body is not read, so no other request can follow it.
  if (status === 413) response.setHeader('Connection', 'close')
  response.end(text)
}

async function bodyOf(
  request: ExpressRequestLike,
  maxBytes: number,
): Promise<Uint8Array | string | null> {
  const { body } = request
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body !== undefined)
    throw new TypeError('the body was parsed before the webhook: put its route before the parser')
  return await readBody(chunksOf(request), maxBytes)
}

/** Ended early it leaves the request as it is: a destroyed one could not be answered. */
async function* chunksOf(request: ExpressRequestLike): AsyncGenerator<Uint8Array | string> {
  const chunks = request[Symbol.asyncIterator]()
  for (let part = await chunks.next(); part.done !== true; part = await chunks.next())
    yield part.value
}
