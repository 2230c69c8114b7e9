/** Waits for the first result of an event: its end, or an attempt that failed. */
import { setTimeout as after } from 'node:timers/promises'
import type { Attempt, Posthorn } from '../../sdks/node/src/posthorn-node.ts'

const EVERY_MS = 300
/** An attempt may take a minute. */
const MAX_LOOKS = 220

export interface EndedEvent {
  status: string
  attempt: Attempt | undefined
}

export async function eventuallyEnded(posthorn: Posthorn, eventId: string): Promise<EndedEvent> {
  for (let look = 0; ; look += 1) {
    const { status } = await posthorn.events.get(eventId)
    if (['delivered', 'dead', 'failed'].includes(status) || look >= MAX_LOOKS) {
      const { deliveries } = await posthorn.events.listDeliveries(eventId)
      return { status, attempt: deliveries.at(-1) }
    }
    await after(EVERY_MS)
  }
}
