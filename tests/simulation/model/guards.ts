/**
 * The guards of the pipeline's statements. Each can be taken out of the model, to see that the
 * simulation notices; the differential test shows that the model with all of them does what
 * Postgres does.
 */
export const GUARDS = {
  'one event for each idempotency key': 'accept-events: ON CONFLICT DO NOTHING',
  'fan-out: only of events that wait for it': 'fan-out: e.fanned_out_at IS NULL',
  'fan-out: the tenant is locked': 'fan-out in lanes: FOR NO KEY UPDATE',
  'fan-out: a delivery waits in due': 'fan-out: INSERT INTO due',
  'renewal: the token': 'renew-leases: due_at = token',
  'beginning: the token': 'begin-attempts: due_at = token',
  'recording: the number of tries': 'record-attempts: d.tries = i.n - 1',
  'recording: the edition that was sent': 'record-attempts: d.edition = i.o',
  'recording: the delivery is open': 'record-attempts: d.state IN (open)',
  'recording: the next try gets its time': 'record-attempts: UPDATE due',
  'recording: what has ended is not due': 'record-attempts: DELETE FROM due',
  'recording: the counts of the event': 'record-attempts: countMoved',
  'cancelling: the delivery is open': 'cancel-deliveries: d.state IN (open)',
  'releasing: the token': 'release-leases: due_at = token',
  'sweep: what is announced is leased': 'sweep-due: SET due_at = now() + lease',
  'sweep: its token before it drops a row': 'drop-due: due_at = token',
  'sweep: it drops only what has ended': 'drop-due: d.state IN (ended)',
  'parking: the token': 'park-deliveries: due_at = token',
  'parking: a backlog row': 'park-deliveries: INSERT INTO backlogs',
  'backlog: the token of who takes it': 'take-backlog: due_at = token',
  'backlog: the epoch of who takes from it': 'take-parked: epoch = i.epoch',
  'backlog: what is taken is open': 'take-parked: d.state IN (open)',
  'backlog: what is taken is leased': 'take-parked: INSERT INTO due',
  'backlog: the parkings seen by who ends it': 'finish-backlog: parks = $4',
  'backlog: the epoch of who ends it': 'finish-backlog: epoch = $3',
  'backlog: the token of who lets go of it': 'postpone-backlog: due_at = token',
  'lane: its row is locked': 'lock-heads: UPDATE lanes',
  'lane: the token of its head': 'lock-heads: due_at = token',
  'lane: the next only after its head': 'release-next: NOT open(head)',
  'lane: the next in its order': 'release-next: ORDER BY position',
  'lane: at its end behind a head': 'fan-out in lanes: head stays',
  'waking: not what somebody has': 'wake-target: NOT leased',
  'replay: only of what may be replayed': 'requeue: d.state IN (replayable)',
  'edit: a new edition': 'edit: SET edition = edition + 1',
  'ending: who subscribes is told': 'countMoved: published',
  'relaying: a row goes with its event': 'take-operational-events: DELETE',
  'replay: attempts are counted anew': 'requeue: tries_before = d.tries',
  'replay: not of a day that is taken out': 'requeue: pg_try_advisory_xact_lock_shared',
  'replay: only with its event': 'requeue: EXISTS events',
} as const

export type Guard = keyof typeof GUARDS
