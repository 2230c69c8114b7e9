/**
 * Posts rows of an outbox, each under the idempotency key that it has had since it was published.
 * An answer says what becomes of a row: accepted, now or by an earlier post whose answer was lost;
 * rejected for what the event is; or to be sent again later.
 */
import type { Posthorn } from '../client.ts'
import type { CreateBatch, CreateEvent } from '../generated/types.ts'
import type { RequestOptions } from '../request.ts'
import type { OutboxEventRow } from './rows.ts'

export type OutboxClient = { readonly events: Pick<Posthorn['events'], 'create' | 'createBatch'> }

export interface OutboxRejection {
  /** The API's code, or `UNREADABLE` or `UNCERTAIN`. */
  code: string
  message: string
  details?: unknown
}

export type PostOutcome =
  | { outcome: 'accepted' }
  | { outcome: 'rejected'; rejection: OutboxRejection }
  /** @property isGeneral no other event would have been accepted either */
  | { outcome: 'later'; error: Error; isGeneral: boolean; retryAfterMs: number }

export interface ReadRow {
  row: OutboxEventRow
  event: CreateEvent
  scope: Pick<RequestOptions, 'projectId' | 'subAccountId'>
}

export interface Post {
  one(read: ReadRow): Promise<PostOutcome>
  /** Up to 100 that `isBatchable` and that have one scope; null where each is to be posted alone. */
  batch(reads: readonly ReadRow[]): Promise<Map<string, PostOutcome> | null>
}

/** The row's event, or why it cannot be sent. */
export function readRow(row: OutboxEventRow): ReadRow | OutboxRejection {
  if (row.isUncertain)
    return {
      code: 'UNCERTAIN',
      message: 'it was first sent so long ago that it may have been accepted and forgotten',
    }
  try {
    const [event, scope] = [JSON.parse(row.event), JSON.parse(row.scope)]
    if (isRecord(event) && isRecord(scope)) return { row, event: event as CreateEvent, scope }
  } catch {
    // It was not written by `publish`.
  }
  return { code: 'UNREADABLE', message: 'the columns event and scope must be JSON objects' }
}

/** The batch route takes events for one destination, at once, in the default priority. */
export function isBatchable({ row, event }: ReadRow): boolean {
  const { destination, payload, headers, maxAttempts, priority = 5, ...others } = event
  return row.orderingKey === null && priority === 5 && Object.keys(others).length === 0
}

export function createPost(posthorn: OutboxClient, timeoutMs: number): Post {
  // The outbox itself is what repeats a post, also after this process.
  const limits = { maxRetries: 0, timeoutMs }
  return {
    async one({ row, event, scope }) {
      try {
        const options = { ...scope, ...limits, idempotencyKey: row.idempotencyKey }
        await posthorn.events.create(event, options)
        return { outcome: 'accepted' }
      } catch (error) {
        return outcomeOf(error, scope)
      }
    },
    async batch(reads) {
      const scope = reads[0]?.scope ?? {}
      const events = reads.map(({ row, event }) => ({
        ...event,
        idempotencyKey: row.idempotencyKey,
      }))
      try {
        await posthorn.events.createBatch({ events } as CreateBatch, { ...scope, ...limits })
        return outcomesFor(reads, { outcome: 'accepted' })
      } catch (error) {
        return outcomesOfBatch(reads, error, scope)
      }
    },
  }
}

function outcomesFor(reads: readonly ReadRow[], outcome: PostOutcome): Map<string, PostOutcome> {
  return new Map(reads.map(({ row }) => [row.id, outcome]))
}

/** Nothing of the batch was accepted. Those that an earlier post made are named by the API. */
function outcomesOfBatch(
  reads: readonly ReadRow[],
  error: unknown,
  scope: ReadRow['scope'],
): Map<string, PostOutcome> | null {
  const answer = apiAnswer(error)
  if (answer?.code === 'DUPLICATE_EVENT') {
    const made = duplicatesOf(answer.details)
      .map((n) => reads[n])
      .filter((read) => read !== undefined)
    return made.length === 0 ? null : outcomesFor(made, { outcome: 'accepted' })
  }
  const outcome = outcomeOf(error, scope)
  // One of them is at fault: each alone shows which.
  return outcome.outcome === 'rejected' ? null : outcomesFor(reads, outcome)
}

function duplicatesOf(details: unknown): number[] {
  const problems: unknown[] = Array.isArray(details) ? details : []
  return problems.flatMap((problem) => {
    const path = isRecord(problem) ? String(problem['path']) : ''
    const n = /^events\.(\d+)\.idempotencyKey$/.exec(path)?.[1]
    return n === undefined ? [] : [Number(n)]
  })
}

function outcomeOf(error: unknown, scope: ReadRow['scope']): PostOutcome {
  const thrown = error instanceof Error ? error : new Error(String(error))
  const answer = apiAnswer(error)
  if (answer === undefined)
    return { outcome: 'later', error: thrown, isGeneral: true, retryAfterMs: 0 }
  const { status, code, details, retryAfterMs = 0 } = answer
  if (code === 'CONFLICT' && isRecord(details) && typeof details['eventId'] === 'string')
    return { outcome: 'accepted' }
  const hasScope = scope.projectId !== undefined || scope.subAccountId !== undefined
  if (isFaultOfEvent(status, code, hasScope))
    return { outcome: 'rejected', rejection: { code, message: thrown.message, details } }
  const isGeneral = hasScope ? GENERAL.includes(status) : status !== 500 && status !== 409
  return { outcome: 'later', error: thrown, isGeneral, retryAfterMs }
}

/** Of the whole installation and key, not of the project or sub-account that the event is for. */
const GENERAL = [401, 502, 503, 504]

/** A proxy's refusal has no code of the API: only that a body is too large is the event's fault. */
function isFaultOfEvent(status: number, code: string, hasScope: boolean): boolean {
  if (status === 413) return true
  if (code.startsWith('HTTP_')) return false
  return status === 400 || status === 415 || status === 422 || (status === 404 && hasScope)
}

interface ApiAnswer {
  status: number
  code: string
  details: unknown
  retryAfterMs: number | undefined
}

/** Told by its name: an application may have this package in both module formats. */
function apiAnswer(error: unknown): ApiAnswer | undefined {
  const isAnswer = error instanceof Error && error.name === 'PosthornApiError'
  return isAnswer ? (error as unknown as ApiAnswer) : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
