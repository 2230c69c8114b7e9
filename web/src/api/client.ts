/**
 * The way to the API: typed by our own OpenAPI, with the browser's cookie as the credential. What is
 * refused becomes an error with the code, the problems of fields and the request's id.
 */
import createClient from 'openapi-fetch'
import type { components, paths } from '../generated/api.ts'

export type Schemas = components['schemas']

export const api = createClient<paths>({ baseUrl: globalThis.location.origin })

export interface Problem {
  path: string
  message: string
}

export interface Failure extends Error {
  /** 0: no answer came. */
  status: number
  code: string
  problems: readonly Problem[]
  details: unknown
  requestId: string | null
  retryAfterSeconds: number | null
  /** Where a session of the portal that has failed leads back to. */
  returnUrl: string | null
  subAccountId: string | null
}

interface Answered<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** The answer's body, or a `Failure` thrown. */
export async function answerOf<Data>(call: Promise<Answered<Data>>): Promise<Data> {
  const answered = await call.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw toFailure(0, 'UNREACHABLE', 'The server does not answer.', null)
  })
  const { data, response } = answered
  if (response.ok) return data as Data
  throw refusalOf(answered.error, response)
}

function refusalOf(body: unknown, { status, headers }: Response): Failure {
  const { error, code, details, returnUrl, subAccountId } = (isRecord(body) ? body : {}) as Record<
    string,
    unknown
  >
  const failure = toFailure(
    status,
    typeof code === 'string' ? code : `HTTP ${status}`,
    typeof error === 'string' ? error : 'The answer was not understood.',
    details,
  )
  failure.returnUrl = typeof returnUrl === 'string' ? returnUrl : null
  failure.subAccountId = typeof subAccountId === 'string' ? subAccountId : null
  failure.requestId = headers.get('x-request-id')
  const retryAfter = Number(headers.get('retry-after'))
  failure.retryAfterSeconds = retryAfter > 0 ? retryAfter : null
  return failure
}

function toFailure(status: number, code: string, message: string, details: unknown): Failure {
  const problems = Array.isArray(details) ? details.filter(isProblem) : []
  const unknown = { requestId: null, retryAfterSeconds: null, returnUrl: null, subAccountId: null }
  return Object.assign(new Error(message), { status, code, problems, details, ...unknown })
}

export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && 'problems' in error
}

function isProblem(value: unknown): value is Problem {
  return (
    isRecord(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string'
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
