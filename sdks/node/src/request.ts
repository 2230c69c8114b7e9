/**
 * One call of the API: attempts with back-off until it is answered, all within one deadline. A call
 * that makes an event keeps one idempotency key over its attempts, so that it makes one event.
 */
import {
  isRetryableStatus,
  PosthornApiError,
  PosthornConnectionError,
  PosthornTimeoutError,
} from './errors.ts'

export interface RequestOptions {
  /** Narrows the call to a project. */
  projectId?: string
  /** Acts in a sub-account: its id or its external id. */
  subAccountId?: string
  /** Of calls that make an event; made here where it is not given. */
  idempotencyKey?: string
  /** For all attempts together. Default: the client's. */
  timeoutMs?: number
  /** Attempts after the first. Default: the client's. */
  maxRetries?: number
  signal?: AbortSignal
}

export interface Call {
  method: string
  /** With the names of its parameters: `/api/v1/events/{eventId}`. */
  path: string
  /** What stands for them. */
  inPath?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number | boolean | null | undefined>>
  body?: unknown
  /** It takes an idempotency key. */
  hasKey?: boolean
}

export type Request = <Answer>(call: Call, options: RequestOptions) => Promise<Answer>

export interface RequestConfig {
  baseUrl: string
  apiKey: string
  timeoutMs: number
  maxRetries: number
  fetch: typeof fetch
  random: () => number
}

const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 8_000
/** Sent again without harm. `POST` is not, unless its idempotency key makes it so. */
const IDEMPOTENT = ['GET', 'PUT', 'DELETE']

export function createRequest(config: RequestConfig): Request {
  return async <Answer>(call: Call, options: RequestOptions): Promise<Answer> => {
    const deadline = createDeadline(options.timeoutMs ?? config.timeoutMs, options.signal)
    const maxRetries = options.maxRetries ?? config.maxRetries
    let isUncertain = false
    try {
      const request = toRequest(config, call, options)
      for (let attempt = 0; ; attempt += 1) {
        const outcome = await send(config, request, deadline)
        if (outcome.answer !== undefined) return outcome.answer.value as Answer
        const { error } = outcome
        const made = isUncertain && call.hasKey === true ? eventOfKey(error) : undefined
        // An earlier attempt made the event, and its answer was lost.
        if (made !== undefined) return await readMade(config, call, made, options, deadline)
        if (attempt >= maxRetries || !mayRepeat(call, error)) throw error
        isUncertain ||= !(error instanceof PosthornApiError) || error.status >= 500
        await deadline.pause(delayMs(attempt, error, config.random))
      }
    } finally {
      deadline.end()
    }
  }
}

/** A refusal (429, or 503 before anything was done) may always be repeated. */
function mayRepeat({ method, hasKey }: Call, error: Error): boolean {
  if (error instanceof PosthornTimeoutError || isAbort(error)) return false
  if (error instanceof PosthornApiError) {
    if (!isRetryableStatus(error.status)) return false
    if (error.status === 429 || error.status === 503 || error.status === 408) return true
  }
  return hasKey === true || IDEMPOTENT.includes(method)
}

function delayMs(attempt: number, error: Error, random: () => number): number {
  const backOff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + random() / 2)
  const asked = error instanceof PosthornApiError ? (error.retryAfterMs ?? 0) : 0
  return Math.max(asked, backOff)
}

interface HttpRequest {
  url: string
  init: RequestInit
}

function toRequest(config: RequestConfig, call: Call, options: RequestOptions): HttpRequest {
  const url = new URL(config.baseUrl.replace(/\/+$/, '') + expandPath(call))
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'X-API-Key': config.apiKey,
    ...(options.projectId === undefined ? {} : { 'X-Project-ID': options.projectId }),
    ...(options.subAccountId === undefined
      ? {}
      : { 'X-Sub-Account-ID': utf8(options.subAccountId) }),
    ...(call.hasKey === true
      ? { 'X-Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() }
      : {}),
  }
  if (call.body === undefined) return { url: url.href, init: { method: call.method, headers } }
  headers['Content-Type'] = 'application/json'
  return {
    url: url.href,
    init: { method: call.method, headers, body: JSON.stringify(call.body) },
  }
}

/** An empty parameter, or dots, would lead to another route: such a call is not sent. */
function expandPath({ path, inPath = {} }: Call): string {
  return Object.entries(inPath).reduce((expanded, [name, value]) => {
    const text = String(value ?? '')
    if (['', '.', '..'].includes(text)) throw new TypeError(`"${text}" is no ${name}`)
    return expanded.replace(`{${name}}`, () => encodeURIComponent(text))
  }, path)
}

/** Headers carry bytes, one a character. */
function utf8(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}

type Outcome =
  | { answer: { value: unknown }; error?: undefined }
  | { answer?: undefined; error: Error }

async function send(
  { fetch }: Pick<RequestConfig, 'fetch'>,
  { url, init }: HttpRequest,
  deadline: Deadline,
): Promise<Outcome> {
  try {
    const response = await fetch(url, { ...init, signal: deadline.signal, redirect: 'error' })
    const text = await response.text()
    if (response.ok) return { answer: { value: text === '' ? undefined : JSON.parse(text) } }
    return { error: toApiError(response, text) }
  } catch (error) {
    deadline.rethrow()
    return { error: new PosthornConnectionError('the API did not answer', { cause: error }) }
  }
}

function toApiError(response: Response, text: string): PosthornApiError {
  let body: { error?: unknown; code?: unknown; details?: unknown } = {}
  try {
    body = (JSON.parse(text) ?? {}) as typeof body
  } catch {
    // A proxy answered in the API's place.
  }
  const { status, headers } = response
  const message = typeof body.error === 'string' ? body.error : `the API answered ${status}`
  return new PosthornApiError(message, {
    status,
    code: typeof body.code === 'string' ? body.code : `HTTP_${status}`,
    details: body.details,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
  })
}

/** Seconds, or a date. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

function eventOfKey(error: Error): string | undefined {
  if (!(error instanceof PosthornApiError) || error.code !== 'CONFLICT') return undefined
  const { eventId } = (error.details ?? {}) as { eventId?: unknown }
  return typeof eventId === 'string' ? eventId : undefined
}

async function readMade<Answer>(
  config: RequestConfig,
  { path, inPath }: Call,
  eventId: string,
  options: RequestOptions,
  deadline: Deadline,
): Promise<Answer> {
  const call = { method: 'GET', path: `${path}/{eventId}`, inPath: { ...inPath, eventId } }
  const outcome = await send(config, toRequest(config, call, options), deadline)
  if (outcome.answer === undefined) throw outcome.error
  return outcome.answer.value as Answer
}

interface Deadline {
  signal: AbortSignal
  /** Rejects when the time is over or the caller gave up. */
  pause(ms: number): Promise<void>
  /** Throws where the deadline, or the caller, ended the attempt. */
  rethrow(): void
  end(): void
}

function createDeadline(timeoutMs: number, given: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const endsAt = performance.now() + timeoutMs
  const late = (): PosthornTimeoutError =>
    new PosthornTimeoutError(`the call took longer than ${timeoutMs} ms`)
  const timer = setTimeout(() => controller.abort(late()), timeoutMs)
  const stop = (): void => controller.abort(given?.reason)
  if (given?.aborted === true) stop()
  given?.addEventListener('abort', stop, { once: true })
  const rethrow = (): void => {
    if (controller.signal.aborted) throw controller.signal.reason
  }
  return {
    signal: controller.signal,
    rethrow,
    async pause(ms) {
      rethrow()
      // It could not be answered in time after such a wait.
      if (performance.now() + ms >= endsAt) throw late()
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(waiting)
          controller.signal.removeEventListener('abort', done)
          resolve()
        }
        const waiting = setTimeout(done, ms)
        controller.signal.addEventListener('abort', done)
      })
      rethrow()
    },
    end() {
      clearTimeout(timer)
      given?.removeEventListener('abort', stop)
    },
  }
}

function isAbort(error: Error): boolean {
  return error.name === 'AbortError'
}
