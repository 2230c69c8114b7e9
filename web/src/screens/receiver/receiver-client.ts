/** The demo receiver's own answers: it is no part of the API, and only `npm start` has it. */
import { type Failure, isFailure } from '../../api/client.ts'
import { t } from '../../texts/t.ts'

export interface ReceivedRequest {
  id: number
  method: string
  headers: Readonly<Record<string, string>>
  body: string
  verified: boolean
  signature: {
    outcome: 'verified' | 'unsigned' | 'stale' | 'mismatch'
    timestamp: string | null
    value: string | null
    ageSeconds: number | null
    toleranceSeconds: number
    secretHint: string | null
  }
  answered: Answer
  receivedAt: string
}

export interface Answer {
  status: number
  delayMs: number
}

export interface Received {
  requests: readonly ReceivedRequest[]
  answer: Answer
  headerNames: { timestamp: string; signature: string; eventType: string }
}

export async function readReceived(name: string, signal: AbortSignal): Promise<Received> {
  return (await ask(`/receiver/${name}`, { signal })) as Received
}

export async function setAnswer(name: string, answer: Answer): Promise<void> {
  await ask(`/receiver/${name}/answer`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(answer),
  })
}

async function ask(path: string, init: RequestInit): Promise<unknown> {
  const headers = { Accept: 'application/json', ...(init.headers as Record<string, string>) }
  const response = await fetch(path, { ...init, headers }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw failureOf(0, 'UNREACHABLE', t('The server does not answer.'), null)
  })
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>
  if (response.ok) return body
  const { error, code } = body
  const requestId = response.headers.get('x-request-id')
  throw failureOf(
    response.status,
    textOr(code, String(response.status)),
    textOr(error, response.statusText),
    requestId,
  )
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

function failureOf(
  status: number,
  code: string,
  message: string,
  requestId: string | null,
): Failure {
  const failure = Object.assign(new Error(message), {
    status,
    code,
    problems: [],
    details: null,
    requestId,
    retryAfterSeconds: null,
    returnUrl: null,
    subAccountId: null,
  })
  if (!isFailure(failure)) throw new Error('a failure has problems')
  return failure
}
