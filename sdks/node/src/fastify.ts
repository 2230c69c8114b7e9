/** `@posthorn/node/fastify`: a route for webhooks as a plugin of Fastify. */
import { createReceive, type WebhookHandler, type WebhookOptions } from './adapters/receive.ts'

export type { WebhookHandler, WebhookOptions } from './adapters/receive.ts'

/** What the plugin uses of Fastify, whose own types depend on the server's. */
export interface FastifyLike {
  removeAllContentTypeParsers(): void
  // oxlint-disable-next-line typescript/no-explicit-any
  addContentTypeParser(type: string, options: { parseAs: 'buffer' }, parser: any): any
  // oxlint-disable-next-line typescript/no-explicit-any
  post(path: string, options: { bodyLimit: number }, handler: any): any
}

export interface FastifyRequestLike {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body?: unknown
}

interface FastifyReplyLike {
  code(status: number): { send(text?: string): unknown }
}

export interface FastifyWebhookOptions extends WebhookOptions {
  /** The path of the route. */
  path: string
}

type ParserDone = (error: Error | null, body: unknown) => void

/** The parsers of bodies that the application has stay as they are: a plugin has its own. */
export function webhook<Events extends object = Record<never, unknown>>(
  { path, ...options }: FastifyWebhookOptions,
  handle: WebhookHandler<Events, FastifyRequestLike>,
) {
  const receive = createReceive<Events>(options)
  return async (app: FastifyLike): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      (_request: unknown, body: Uint8Array, done: ParserDone) => done(null, body),
    )
    app.post(
      path,
      { bodyLimit: receive.maxBodyBytes },
      async (request: FastifyRequestLike, reply: FastifyReplyLike) => {
        const body = request.body instanceof Uint8Array ? request.body : ''
        const { status, text } = await receive(body, request.headers, (event) =>
          handle(event, request),
        )
        return reply.code(status).send(text)
      },
    )
  }
}
