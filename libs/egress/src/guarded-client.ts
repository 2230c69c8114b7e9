/**
 * got over guarded sockets, for requests that are few: notifications to chat services. It follows
 * no redirect, uses no proxy, decompresses nothing, tries nothing again, and reads an answer up to
 * a limit; whoever calls it decides what an answer means. The dispatcher's way is `egress.ts`, at a
 * tenth of the cost: docs/decisions/0004-libraries-on-the-hot-path.md.
 */
import { Agent as HttpAgent, type AgentOptions, type ClientRequestArgs } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import got, { RequestError } from 'got'
import { exchangeFailure, type SendErrorCategory } from './error-category.ts'
import { type GuardedSockets, NoGuardedSocket } from './guarded-sockets.ts'

export interface GuardedRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** The tenant: one owner's slow names delay no other's. */
  owner: string
  /** For the name, the connection, the handshake and the answer together. */
  timeoutMs: number
}

export type GuardedResponse =
  | {
      outcome: 'response'
      statusCode: number
      /** In lower case; of several, the first. */
      headers: Record<string, string>
      body: string
    }
  | { outcome: 'error'; category: SendErrorCategory; detail: string }

export interface GuardedClientConfig {
  requireHttps: boolean
  userAgent: string
}

export type PostGuarded = (request: GuardedRequest) => Promise<GuardedResponse>

/** Chat services answer with a word or a small object. */
const MAX_ANSWER_BYTES = 16 * 1024
const MAX_HEADER_BYTES = 16 * 1024

export function createGuardedClient(
  { requireHttps, userAgent }: GuardedClientConfig,
  { open }: Pick<GuardedSockets, 'open'>,
): PostGuarded {
  return async ({ url, headers, body, owner, timeoutMs }) => {
    const { protocol } = URL.parse(url) ?? { protocol: 'no URL' }
    if (protocol !== 'https:' && (protocol !== 'http:' || requireHttps)) {
      return { outcome: 'error', category: 'blocked', detail: `${protocol} is not allowed` }
    }
    const deadline = AbortSignal.timeout(timeoutMs)
    const agent = agentsFor((place) => open({ ...place, owner, signal: deadline }))
    const stream = got.stream(url, {
      method: 'POST',
      headers: { 'user-agent': userAgent, ...headers },
      body,
      agent,
      signal: deadline,
      maxHeaderSize: MAX_HEADER_BYTES,
      followRedirect: false,
      decompress: false,
      throwHttpErrors: false,
      retry: { limit: 0 },
    })
    try {
      return await readAnswer(stream)
    } catch (error) {
      return { outcome: 'error', ...failureOf(error, deadline, timeoutMs) }
    } finally {
      stream.destroy()
      agent.http.destroy()
      agent.https.destroy()
    }
  }
}

type OpenPlace = (place: { hostname: string; port: number; secure: boolean }) => Promise<Duplex>
type Opened = (error: Error | null, socket: Duplex) => void

/** Agents that get each of their sockets from the guard, and keep none. */
function agentsFor(open: OpenPlace): { http: HttpAgent; https: HttpsAgent } {
  const options: AgentOptions = { keepAlive: false, maxSockets: 1 }
  const connect = (secure: boolean) => (place: ClientRequestArgs, opened?: Opened) => {
    const hostname = String(place.hostname ?? place.host).replace(/^\[|\]$/g, '')
    void open({ hostname, port: Number(place.port), secure }).then(
      (socket) => opened?.(null, socket),
      (error: Error) => opened?.(error, undefined as unknown as Duplex),
    )
    return undefined
  }
  const http = Object.assign(new HttpAgent(options), { createConnection: connect(false) })
  const https = Object.assign(new HttpsAgent(options), { createConnection: connect(true) })
  return { http, https }
}

type GotStream = ReturnType<typeof got.stream>

async function readAnswer(stream: GotStream): Promise<GuardedResponse> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
    if (bytes >= MAX_ANSWER_BYTES) break
  }
  const { response } = stream
  if (response === undefined) throw new Error('there was no answer')
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) {
    const first = Array.isArray(value) ? value[0] : value
    if (first !== undefined) headers[name] = first
  }
  const body = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8')
  return { outcome: 'response', statusCode: response.statusCode, headers, body }
}

function failureOf(
  error: unknown,
  deadline: AbortSignal,
  timeoutMs: number,
): { category: SendErrorCategory; detail: string } {
  const cause = error instanceof RequestError ? error.cause : error
  if (cause instanceof NoGuardedSocket && cause.category !== 'timeout') {
    return { category: cause.category, detail: cause.message }
  }
  if (deadline.aborted) return { category: 'timeout', detail: `no answer within ${timeoutMs} ms` }
  const { code = '', message } = error as Error & { code?: string }
  return exchangeFailure(code, message, true)
}
