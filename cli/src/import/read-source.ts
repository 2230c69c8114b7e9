/**
 * The API of another service, read only: pages, attempts with back-off, and a check of each answer
 * against the shape that the service documents. No message has a value of an answer in it, for an
 * answer may hold secrets.
 */
import type { z } from 'zod'
import { PosthornApiError } from '../../../sdks/node/src/posthorn-node.ts'
import { createRequest } from '../../../sdks/node/src/request.ts'
import { EXIT, failure, reasonOf, usage } from '../failure.ts'
import { VERSION } from '../version.ts'

export interface SourceApi {
  get<Answer>(path: string, query: Query, schema: z.ZodType<Answer>): Promise<Answer>
  /** @returns null where there is no such thing, or no such route */
  find<Answer>(path: string, query: Query, schema: z.ZodType<Answer>): Promise<Answer | null>
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** For all attempts of one call together: a service may ask for a minute's patience. */
const TIMEOUT_MS = 120_000
const MAX_RETRIES = 5

/** @param name what the service is called in messages */
export function createSourceApi(name: string, baseUrl: string, token: string): SourceApi {
  const request = createRequest({
    baseUrl,
    apiKey: '',
    timeoutMs: TIMEOUT_MS,
    maxRetries: MAX_RETRIES,
    random: Math.random,
    // The headers of our own API are left out.
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${token}`,
          'User-Agent': `posthorn-cli/${VERSION}`,
        },
      }),
  })

  async function call(path: string, query: Query): Promise<{ answer: unknown } | null> {
    try {
      return { answer: await request({ method: 'GET', path, query }, {}) }
    } catch (error) {
      if (error instanceof PosthornApiError && error.status === 404) return null
      throw toFailure(name, path, error)
    }
  }

  return {
    async get(path, query, schema) {
      const found = await call(path, query)
      if (found === null) throw failure(`${name} has no ${path}`, EXIT.notFound)
      return checked(schema, found.answer, `${name}'s answer to GET ${path}`)
    },
    async find(path, query, schema) {
      const found = await call(path, query)
      if (found === null) return null
      return checked(schema, found.answer, `${name}'s answer to GET ${path}`)
    },
  }
}

function toFailure(name: string, path: string, error: unknown): Error {
  if (error instanceof PosthornApiError) {
    const isAccess = error.status === 401 || error.status === 403
    const remedy = isAccess ? ': check its token' : ''
    const message = `${name} answered ${error.status} to GET ${path}${remedy}`
    return failure(message, isAccess ? EXIT.noAccess : EXIT.failed)
  }
  // The parser's message quotes the answer.
  if ((error as Error).cause instanceof SyntaxError)
    return failure(`${name} did not answer GET ${path} with JSON`)
  const reason = reasonOf(error)
  return failure(`${name} did not answer GET ${path}${reason === '' ? '' : `: ${reason}`}`)
}

/** @param what begins the message of the error, which names the field at fault */
export function checked<Value>(schema: z.ZodType<Value>, value: unknown, what: string): Value {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const field = fieldOf(issue?.path ?? [])
  throw failure(`${what} is not as documented: ${field}: ${issue?.message ?? 'wrong'}`)
}

/** As `data[0].url`. */
function fieldOf(path: readonly PropertyKey[]): string {
  const parts = path.map((one) => (typeof one === 'number' ? `[${one}]` : `.${String(one)}`))
  return parts.join('').replace(/^\./, '') || 'the whole'
}

/** Goes from page to page by what each says of the next. */
export async function* readPages<Item>(
  read: (cursor: string | undefined) => Promise<{ items: readonly Item[]; next: string | null }>,
): AsyncGenerator<Item, void> {
  let cursor: string | undefined
  for (;;) {
    const { items, next } = await read(cursor)
    yield* items
    if (next === null || next === '') return
    if (next === cursor) throw failure('a list leads from a page to the same page')
    cursor = next
  }
}

/** More endpoints of one application are not read. */
const MAX_ENDPOINTS = 10_000

export async function allOf<Item>(items: AsyncIterable<Item>, owner: string): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) {
    if (all.length >= MAX_ENDPOINTS) throw failure(`${owner} has more than ${MAX_ENDPOINTS}`)
    all.push(item)
  }
  return all
}

/** The base of a service's API: the URL as given, with a path where it has none. */
export function baseUrlOf(text: string, defaultPath: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password !== '')
    throw usage('--from-url must be an http(s) URL without user and password')
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path === '' ? defaultPath : path)
}
