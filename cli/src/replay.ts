/** `posthorn replay`: one event again, or what an endpoint did not take in a span of time. */
import { setTimeout as after } from 'node:timers/promises'
import type { Posthorn, Replay } from '../../sdks/node/src/posthorn-node.ts'
import { connect, type GlobalOptions } from './connect.ts'
import { EXIT, failure, usage } from './failure.ts'
import type { Output } from './output.ts'
import { pointInTime } from './points-in-time.ts'

export interface ReplayOptions extends GlobalOptions {
  since?: string
  until?: string
  endpoint?: string
  status?: string
  dryRun?: boolean
  wait: boolean
}

const REPLAYED = ['dead', 'failed'] as const
type Replayed = (typeof REPLAYED)[number]

const EVERY_MS = 500
/** What a dry run looks through. */
const MAX_EVENTS = 10_000
/** Explanations that are asked for at once. */
const CONCURRENCY = 8

export async function replay(
  eventId: string | undefined,
  options: ReplayOptions,
  out: Output,
): Promise<void> {
  const isBulk = options.since !== undefined || options.endpoint !== undefined
  if ((eventId === undefined) !== isBulk)
    throw usage('give the id of an event, or --since with --endpoint')
  const { posthorn } = await connect(options, out)
  if (eventId !== undefined) return await replayOne(posthorn, eventId, options, out)
  const { since, endpoint } = options
  if (since === undefined || endpoint === undefined)
    throw usage('--since and --endpoint go together')
  const span = spanOf(options, since)
  if (options.dryRun === true) return await showBulk(posthorn, endpoint, span, out)
  await replayBulk(posthorn, endpoint, span, options, out)
}

async function replayOne(
  posthorn: Posthorn,
  eventId: string,
  { dryRun }: ReplayOptions,
  out: Output,
): Promise<void> {
  if (dryRun !== true) {
    const { id, status } = await posthorn.events.replay(eventId)
    return out.result({ id, status }, `${id}  ${status}`)
  }
  const { deliveries } = await posthorn.events.explain(eventId)
  const again = deliveries.filter(({ state }) => state === 'dead' || state === 'waiting')
  for (const { id, endpointId, state } of again)
    out.result(
      { eventId, deliveryId: id, endpointId, state },
      `${eventId}  would go again to ${endpointId ?? 'its destination'} (${state})`,
    )
  out.status(`${again.length} deliveries would go again`)
}

interface Span {
  since: string
  until: string | undefined
  statuses: readonly Replayed[]
}

function spanOf({ until, status }: ReplayOptions, since: string): Span {
  const now = Date.now()
  return {
    since: pointInTime(since, now),
    until: until === undefined ? undefined : pointInTime(until, now),
    statuses: status === undefined ? REPLAYED : [status as Replayed],
  }
}

/** An event is dead, or waits, because of one of its deliveries: `explain` tells which. */
async function showBulk(
  posthorn: Posthorn,
  endpointId: string,
  { since, until, statuses }: Span,
  out: Output,
): Promise<void> {
  await posthorn.endpoints.get(endpointId)
  let found = 0
  let looked = 0
  const states = statuses.map((status) => (status === 'failed' ? 'waiting' : status))
  const query = {
    endpointId,
    from: since,
    limit: 100,
    ...(until === undefined ? {} : { to: until }),
  }
  const events = posthorn.events.list(query)[Symbol.asyncIterator]()
  const look = async (): Promise<void> => {
    for (;;) {
      const { value: event, done } = await events.next()
      if (done === true || looked >= MAX_EVENTS) return
      looked += 1
      if (event.status === 'delivered') continue
      const { deliveries } = await posthorn.events.explain(event.id)
      const own = deliveries.find((one) => one.endpointId === endpointId)
      if (own === undefined || !states.includes(own.state as (typeof states)[number])) continue
      found += 1
      const { id, eventType } = event
      const record = { eventId: id, eventType, deliveryId: own.id, state: own.state }
      out.result(record, `${id}  ${eventType ?? 'direct'}  ${own.state}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, look))
  if (looked >= MAX_EVENTS) out.status(`only the newest ${MAX_EVENTS} events were looked at`)
  out.status(`${found} deliveries would go again; nothing was changed`)
}

async function replayBulk(
  posthorn: Posthorn,
  endpointId: string,
  { since, until, statuses }: Span,
  { wait }: ReplayOptions,
  out: Output,
): Promise<void> {
  const body = { since, status: [...statuses], ...(until === undefined ? {} : { until }) }
  let state: Replay = await posthorn.endpoints.replay(endpointId, body)
  while (wait && state.status !== 'done') {
    out.status(`${state.done} of ${state.total}`)
    await after(EVERY_MS)
    state = await posthorn.replays.get(state.id)
  }
  const { id, status, done, total } = state
  out.result(state, `replay ${id}: ${status}, ${done} of ${total} deliveries go again`)
  if (status !== 'done' && wait) throw failure('the replay did not end', EXIT.failed)
}
