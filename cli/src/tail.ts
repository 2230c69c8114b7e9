/**
 * `posthorn tail`: events, or attempts, as they come. The API has pages and no stream of them, so
 * the newest pages are read again each second, and what was shown before is left out. With a status
 * the whole time since the beginning is read again: an old event may come to have it.
 */
import { setTimeout as after } from 'node:timers/promises'
import type { Attempt, EventListItem, Posthorn } from '../../sdks/node/src/posthorn-node.ts'
import { connect, type GlobalOptions } from './connect.ts'
import { describeError, usage } from './failure.ts'
import type { Output } from './output.ts'
import { pointInTime, timeOfDay } from './points-in-time.ts'
import { clipped } from './terminal-text.ts'

export interface TailOptions extends GlobalOptions {
  type?: string
  status?: string
  endpoint?: string
  since: string
  attempts?: boolean
  outcome?: string
  follow: boolean
}

type Status = 'queued' | 'delivering' | 'delivered' | 'failed' | 'dead'
type Outcome = 'success' | 'failure' | 'timeout'

const EVERY_MS = 1_000
/** What was accepted by another instance, whose clock may be behind, shows up late. */
const OVERLAP_MS = 10_000
/** One look shows so many; what is older is left out. */
const MAX_RECORDS = 2_000
const MAX_SHOWN = 20_000

type Shown = { id: string; at: string; record: unknown; line: string }
type Look = (from: string) => AsyncIterable<Shown>

export async function tail(options: TailOptions, out: Output, signal: AbortSignal): Promise<void> {
  const from = pointInTime(options.since, Date.now())
  const look = lookOf(options, (await connect(options, out)).posthorn, signal)
  const isWhole = options.status !== undefined || options.outcome !== undefined
  const seen = new Set<string>()
  let since = from
  let isLost = false
  while (!signal.aborted) {
    try {
      const found = await readNew(look(since), seen)
      if (isLost) out.status('connected again')
      isLost = false
      show(found, seen, out)
      const newest = found[0]
      if (newest !== undefined && !isWhole) since = overlapping(from, newest.at)
    } catch (error) {
      if (!options.follow || !isRetryable(error)) throw error
      if (!isLost) out.status(`lost the connection (${describeError(error).error}); trying again`)
      isLost = true
    }
    if (!options.follow) return
    await after(EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

/** Newest first. */
async function readNew(records: AsyncIterable<Shown>, seen: ReadonlySet<string>): Promise<Shown[]> {
  const found: Shown[] = []
  for await (const one of records) {
    if (!seen.has(one.id)) found.push(one)
    if (found.length >= MAX_RECORDS) break
  }
  return found
}

/** Oldest first. */
function show(found: readonly Shown[], seen: Set<string>, out: Output): void {
  if (found.length >= MAX_RECORDS) out.status(`there are more: the newest ${MAX_RECORDS} are shown`)
  for (const { id, record, line } of found.toReversed()) {
    out.result(record, line)
    seen.add(id)
  }
  for (const id of seen) {
    if (seen.size <= MAX_SHOWN) break
    seen.delete(id)
  }
}

function isRetryable(error: unknown): boolean {
  return (error as { retryable?: unknown }).retryable === true
}

function overlapping(from: string, newest: string): string {
  const at = Math.max(Date.parse(from), Date.parse(newest) - OVERLAP_MS)
  return new Date(at).toISOString()
}

function lookOf(options: TailOptions, posthorn: Posthorn, signal: AbortSignal): Look {
  const { attempts, type, endpoint, status, outcome } = options
  if (attempts === true) {
    if (status !== undefined) throw usage('--status is for events: with --attempts give --outcome')
    return (start) => attemptsSince(posthorn, start, { endpoint, type, outcome }, signal)
  }
  if (outcome !== undefined) throw usage('--outcome goes with --attempts')
  return (start) => eventsSince(posthorn, start, { endpoint, type, status }, signal)
}

interface Filters {
  endpoint: string | undefined
  type: string | undefined
  status?: string | undefined
  outcome?: string | undefined
}

async function* eventsSince(
  posthorn: Posthorn,
  from: string,
  { endpoint, type, status }: Filters,
  signal: AbortSignal,
): AsyncGenerator<Shown> {
  const query = {
    from,
    limit: 100,
    ...(type === undefined ? {} : { eventType: type }),
    ...(endpoint === undefined ? {} : { endpointId: endpoint }),
    ...(status === undefined ? {} : { status: status as Status }),
  }
  for await (const event of posthorn.events.list(query, { signal }))
    yield { id: event.id, at: event.createdAt, record: event, line: eventLine(event) }
}

function eventLine(event: EventListItem): string {
  const { id, eventType, destination, status, attempts, lastStatusCode, lastError } = event
  const last = lastError || (lastStatusCode ? String(lastStatusCode) : '')
  const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  const what = eventType ?? destination ?? 'direct'
  const end = last === '' ? '' : `  ${clipped(last, 120)}`
  const at = timeOfDay(new Date(event.createdAt))
  return `${at}  ${status.padEnd(10)}  ${what}  ${id}  ${times}${end}`
}

async function* attemptsSince(
  posthorn: Posthorn,
  start: string,
  { endpoint, type, outcome }: Filters,
  signal: AbortSignal,
): AsyncGenerator<Shown> {
  const limit = 200
  for (let offset = 0; ; offset += limit) {
    const query = {
      start,
      limit,
      offset,
      ...(endpoint === undefined ? {} : { endpoint_id: endpoint }),
      ...(type === undefined ? {} : { event_type: type }),
      ...(outcome === undefined ? {} : { outcome: outcome as Outcome }),
    }
    const { data, pagination } = await posthorn.deliveries.list(query, { signal })
    for (const attempt of data)
      yield { id: attempt.id, at: attempt.attemptedAt, record: attempt, line: attemptLine(attempt) }
    if (!pagination.hasMore) return
  }
}

function attemptLine(attempt: Attempt): string {
  const { eventId, eventType, url, attemptNumber, statusCode, error, durationMs } = attempt
  const answer = clipped(error === '' ? String(statusCode) : error, 120)
  const at = timeOfDay(new Date(attempt.attemptedAt))
  const what = `${eventType ?? 'direct'}  ${eventId}  attempt ${attemptNumber}`
  return `${at}  ${what}  ${clipped(url, 120)}  ${answer}  ${durationMs} ms`
}
