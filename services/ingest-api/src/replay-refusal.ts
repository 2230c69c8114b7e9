/** Tells the client why a replay queued nothing. */
import { MAX_TOTAL_ATTEMPTS } from '@posthorn/domain/classify-attempt'
import type { Refusal } from '@posthorn/store/pipeline/requeue'

/** null: there was nothing to be replayed. */
export function replayRefusal(refusals: ReadonlySet<Refusal>): string | null {
  if (refusals.has('removed')) return 'the event is being removed: its retention has ended'
  if (!refusals.has('attempts')) return null
  const most = MAX_TOTAL_ATTEMPTS.toLocaleString('en')
  return `its deliveries have had ${most} attempts, the most that are allowed: send a new event`
}
