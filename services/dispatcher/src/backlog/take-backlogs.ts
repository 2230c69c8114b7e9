/**
 * Takes over the backlogs that are announced, a few at a time, while there is capacity for more.
 */
import type { DueBacklog } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import type { OwnedBacklog } from '@posthorn/store/pipeline/backlogs'
import { createQueue } from '@posthorn/async/queue'
import type { Statements } from '../statements.ts'

export interface TakeBacklogsDeps {
  statements: Pick<Statements, 'takeBacklog'>
  /** False: the backlog is left to its lease, and announced to others. */
  hasCapacity(): boolean
  /** The process stops: a backlog that has not been taken is not done, and others read it. */
  isStopped(): boolean
  taken(backlog: OwnedBacklog): void
  log: Pick<Log, 'warn'>
}

export type TakeBacklogs = (message: DueBacklog, done: () => void) => void

/** When a dispatcher that owned thousands has died, they are all announced at once. */
const MAX_TAKING = 4

export function createTakeBacklogs(deps: TakeBacklogsDeps): TakeBacklogs {
  const announced = createQueue<{ message: DueBacklog; done: () => void }>()
  let taking = 0

  function next(): void {
    while (taking < MAX_TAKING && !deps.isStopped()) {
      const one = announced.shift()
      if (one === undefined) return
      taking += 1
      void take(one.message).finally(() => {
        taking -= 1
        one.done()
        next()
      })
    }
  }

  async function take(message: DueBacklog): Promise<void> {
    if (!deps.hasCapacity()) return
    try {
      const backlog = await deps.statements.takeBacklog(message)
      if (backlog !== null) deps.taken(backlog)
    } catch (error) {
      const { tenantId, targetId } = message
      deps.log.warn('backlog.not-taken', { tenantId, targetId, error })
    }
  }

  return (message, done) => {
    announced.push({ message, done })
    next()
  }
}
