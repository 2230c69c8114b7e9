/**
 * The guards that are removed from the product, one at a time, to see that the simulation notices.
 * Guards of statements are removed from the model, all others from the source text of the product
 * as it is loaded. None of them is a switch in the product.
 */
import { GUARDS } from './model/guards.ts'
import { STATE_GUARDS } from './shared-state.ts'

export interface Patch {
  /** The path from the root of the repository. */
  file: string
  /** A text that the file has exactly once. */
  find: string
  replace: string
}

const DISPATCHER = 'services/dispatcher/src'

export const PATCHES: Record<string, Patch> = {
  'a lane’s head is claimed in Postgres': {
    file: `${DISPATCHER}/intake/resolve-ownership.ts`,
    find: 'if (lane !== null || leftMs <= -CLOCK_SLACK_MS)',
    replace: 'if (leftMs <= -CLOCK_SLACK_MS)',
  },
  'a lane’s head goes only under its lease': {
    file: `${DISPATCHER}/send/send-attempt.ts`,
    find: 'return message.lane === null || (!lost && now < leasedUntil)',
    replace: 'return true',
  },
  'an announcement that has expired is asked for': {
    file: `${DISPATCHER}/intake/resolve-ownership.ts`,
    find: 'const token = tokens.get(one.message.deliveryId)',
    replace: 'const token = tokens.get(one.message.deliveryId) ?? one.message.token',
  },
  'a copy of a delivery that is here makes no second attempt': {
    file: `${DISPATCHER}/intake/admit.ts`,
    find: 'return here !== undefined && message.token <= here.token',
    replace: 'return false',
  },
  'a delivery that is here is not taken on again': {
    file: `${DISPATCHER}/intake/admit.ts`,
    find: "if (here === undefined || here.phase === 'leaving') {\n      const delivery",
    replace: '{\n      const delivery',
  },
  'leases are renewed': {
    file: `${DISPATCHER}/intake/renew-leases.ts`,
    find: 'if (due.length + dueBacklogs.length === 0) return []',
    replace: 'return []',
  },
  'an attempt has the edition that it sent': {
    file: `${DISPATCHER}/record/classify-result.ts`,
    find: 'edition: sending.edition,',
    replace: 'edition: message.edition ?? 0,',
  },
  'what was superseded is to be sent again': {
    file: 'libs/store/src/pipeline/sql/due-delivery.ts',
    find: 'edition: row.edition,',
    replace: '',
  },
  'retention: a day is closed before it is taken out': {
    file: 'libs/store/src/drop-partitions.ts',
    find: 'await close(client, partition)',
    replace: '',
  },
  'relaying: its row goes in the transaction of its event': {
    file: 'libs/store/src/pipeline/operational-events.ts',
    find: 'await client.query<WrittenEvent>',
    replace: 'await pool.query<WrittenEvent>',
  },
  'a lease that is lost is known to be': {
    file: `${DISPATCHER}/intake/renew-leases.ts`,
    find: 'delivery.lost = true',
    replace: 'delivery.lost = false',
  },
  'a lane’s head counts its lease from before it asked': {
    file: `${DISPATCHER}/intake/resolve-ownership.ts`,
    find: 'claimedToken: null, leasedUntil }',
    replace: 'claimedToken: null }',
  },
  'the recorder uses the token as it is now': {
    file: `${DISPATCHER}/record/record-results.ts`,
    find: 'rows.map((row) => underLease(row, byDelivery))',
    replace: 'rows',
  },
  'what Postgres did not take is recorded again': {
    file: `${DISPATCHER}/record/record-results.ts`,
    find: 'if (gaveUp.signal.aborted) return []',
    replace: 'if (gaveUp.signal.aborted || failures > 0) return []',
  },
  'what Postgres did not park is parked again': {
    file: `${DISPATCHER}/backlog/park-deliveries.ts`,
    find: 'deps.ticker.wake()\n          return',
    replace: 'return',
  },
  'a paused endpoint gets nothing': {
    file: `${DISPATCHER}/config/decide-admission.ts`,
    find: "if (entry.status !== 'active') return { outcome: 'park', targetId: endpointId }",
    replace: '',
  },
  'nothing but a probe goes through an open circuit': {
    file: `${DISPATCHER}/schedule/circuits.ts`,
    find: 'target.circuit !== null && !delivery.probe && isOpen(target)',
    replace: 'false',
  },
  'a backlog asks its circuit': {
    file: `${DISPATCHER}/backlog/backlog-gate.ts`,
    find: "if (permit.outcome === 'closed') return 'all'",
    replace: "if (permit.outcome !== 'probe') return 'all'",
  },
  'a probe that is not sent is given back': {
    file: `${DISPATCHER}/backlog/park-deliveries.ts`,
    find: 'circuits.releaseProbe(delivery)\n    add({ delivery: toLeaving(delivery), targetId })',
    replace: 'add({ delivery: toLeaving(delivery), targetId })',
  },
  'a backlog is looked at when its circuit has been probed': {
    file: `${DISPATCHER}/rooms.ts`,
    find: 'backlogs.probed(endpointId)',
    replace: 'void endpointId',
  },
  'a message is done when its delivery is taken on': {
    file: `${DISPATCHER}/intake/take-announced.ts`,
    find: 'for (const message of messages) message.done()',
    replace: 'for (const message of messages.slice(1)) message.done()',
  },
  'offsets: only what is done is committed': {
    file: 'libs/bus/src/offsets.ts',
    find: 'committable: () => offsets[head] ?? (last',
    replace: 'committable: () => (last',
  },
  'reading: finished messages free capacity': {
    file: 'libs/bus/src/read-window.ts',
    find: 'inFlight -= count',
    replace: 'inFlight -= 0',
  },
  'fan-out: once for each event of a batch': {
    file: 'services/fanout/src/tenant-queues.ts',
    find: 'if (eventId !== null) return eventId',
    replace: '',
  },
  'fan-out: in the order of acceptance': {
    file: 'services/fanout/src/match-endpoints.ts',
    find: 'endpoints.some(({ lane }) => lane !== null)',
    replace: 'false',
  },
  'fan-out: under the configuration of now': {
    file: 'services/fanout/src/app.ts',
    find: 'cache.get(event.tenantId, event.configVersion)',
    replace: 'cache.get(event.tenantId)',
  },
  'recording in lanes: only what is ours': {
    file: 'libs/store/src/pipeline/record-attempts.ts',
    find: 'const ours = heads.filter(({ deliveryId }) => owned.has(deliveryId))',
    replace: 'const ours = owned === undefined ? [] : heads',
  },
  'recording in lanes: the next in the same transaction': {
    file: 'libs/store/src/transaction.ts',
    find: "await client.query('BEGIN')",
    replace: '',
  },
  'recording in lanes: the next is released': {
    file: 'libs/store/src/pipeline/record-attempts.ts',
    find: 'released: await releaseNext(client, ended)',
    replace: 'released: await releaseNext(client, ended.slice(ended.length))',
  },
  'recording: each row is found in its own day': {
    file: 'libs/store/src/pipeline/record-attempts.ts',
    find: 'RecordedAttempt[]> {\n  const deliveries = boundsOf(rows.map((row) => row.deliveryId))',
    replace: 'RecordedAttempt[]> {\n  const deliveries = boundsOf(rows.map((row) => row.eventId))',
  },
  'retention: a day that it looks into is locked': {
    file: 'libs/store/src/drop-partitions.ts',
    find: 'if (rows[0]?.ours !== true) return false',
    replace: 'if (rows[0]?.ours === true) await client.query(UNLOCK, day)',
  },
  'retention: what has not ended is kept': {
    file: 'libs/store/src/look-into-partition.ts',
    find: 'if (rows.some(isWithin)) return { isKept: true, counts: [] }',
    replace: '',
  },
  'sweep: one instance at a time': {
    file: 'services/retry-scheduler/src/app.ts',
    find: "(isLeader() ? await sweepOnce() : 'sleep')",
    replace: 'await sweepOnce()',
  },
  'sweep: only while the bus takes messages': {
    file: 'services/retry-scheduler/src/sweep.ts',
    find: 'if (!deps.writable()) return SWEEP_MS',
    replace: '',
  },
  'a statement that met a deadlock is repeated': {
    file: 'libs/store/src/repeat.ts',
    find: 'if (repeat > MAX_REPEATS || !isRetryable(error)) throw error',
    replace: 'throw error',
  },
  'domain: an ended delivery stays ended': {
    file: 'libs/domain/src/delivery-state.ts',
    find: 'delivered: {},\n',
    replace: "delivered: { replay: 'queued' },\n",
  },
  'domain: one probe at a time': {
    file: 'libs/domain/src/circuit.ts',
    find: 'probeUntil: now + leaseMs',
    replace: 'probeUntil: 0',
  },
  'domain: only the probe decides while it is open': {
    file: 'libs/domain/src/circuit.ts',
    find: 'if (!isProbe) return { circuit, change: null }',
    replace: '',
  },
  'domain: lanes are told apart': {
    file: 'libs/domain/src/lane.ts',
    find: 'if (found.length === 0) return MISSING_LANE',
    replace: 'if (found.length > 0) return String(Math.floor(performance.now()))',
  },
}

export interface Mutation {
  name: string
  /** null when it is a guard of the model or of the state store. */
  patch: Patch | null
}

export const MUTATIONS: readonly Mutation[] = [
  ...Object.keys({ ...GUARDS, ...STATE_GUARDS }).map((name) => ({ name, patch: null })),
  ...Object.entries(PATCHES).map(([name, patch]) => ({ name, patch })),
]
