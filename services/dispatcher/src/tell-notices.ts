/**
 * Tells customers what has become of their endpoints and events, where an endpoint of the project asks for it; for
 * everybody else it costs a look into what is cached of the tenant.
 *
 * A notice waits in memory until Postgres has taken it: one that this process dies with is not told. What it tells can be
 * read back all the same.
 */
import type { EventAccepted } from '@posthorn/contracts/topics'
import {
  type DeadEvent,
  eventDead,
  isNotice,
  type Notice,
  type NoticeType,
  wantsNotice,
} from '@posthorn/domain/notices'
import type { Log } from '@posthorn/runtime/log'
import type { TenantConfig } from './tenant-config.ts'

export interface TellNoticesDeps {
  peekTenant(tenantId: string): TenantConfig | null | undefined
  acceptNotices(notices: readonly Notice[]): Promise<EventAccepted[]>
  readDeadEvents(events: readonly EndedIn[]): Promise<DeadEvent[]>
  announce(events: readonly EventAccepted[]): void
  isUnavailable(error: unknown): boolean
  log: Pick<Log, 'warn'>
}

export interface EndedIn {
  tenantId: string
  eventId: string
}

/** A delivery that is delivered or dead, as Postgres has it. */
export interface EndedDelivery extends EndedIn {
  projectId: string
  eventType: string | null
  /** null: the only delivery of a direct event. */
  endpointId: string | null
}

export interface TellNotices {
  add(notice: Notice): void
  /** Its event may be dead now. */
  ended(delivery: EndedDelivery, dead: boolean): void
  /** Tries again what could not be told; called every second. */
  tick(): void
  idle(): Promise<void>
}

/** While Postgres is away; beyond it they are lost. */
const MAX_WAITING = 1_000

export function createTellNotices(deps: TellNoticesDeps): TellNotices {
  let notices: Notice[] = []
  let ended: EndedIn[] = []
  let telling: Promise<void> | undefined

  function isWanted(tenantId: string, projectId: string, type: NoticeType): boolean {
    const tenant = deps.peekTenant(tenantId)
    // Not known here: Postgres decides.
    if (tenant === undefined) return true
    return wantsNotice(tenant?.noticePatterns.get(projectId) ?? [], type)
  }

  function tick(): void {
    if (telling !== undefined || notices.length + ended.length === 0) return
    telling = tell()
      .catch((error: unknown) => deps.log.warn('notices.not-told', { error }))
      .finally(() => {
        telling = undefined
      })
  }

  async function tell(): Promise<void> {
    // Those of this turn of the event loop go together.
    await new Promise(setImmediate)
    while (notices.length + ended.length > 0) {
      const [some, ends] = [notices, ended]
      notices = []
      ended = []
      try {
        const dead = ends.length === 0 ? [] : await deps.readDeadEvents(ends)
        const accepted = await deps.acceptNotices([...some, ...dead.map(eventDead)])
        if (accepted.length > 0) deps.announce(accepted)
      } catch (error) {
        if (deps.isUnavailable(error)) {
          notices = [...some, ...notices].slice(0, MAX_WAITING)
          ended = [...ends, ...ended].slice(0, MAX_WAITING)
        }
        throw error
      }
    }
  }

  return {
    add(notice) {
      if (notices.length >= MAX_WAITING) return
      if (!isWanted(notice.tenantId, notice.projectId, notice.type)) return
      notices.push(notice)
      tick()
    },
    ended({ tenantId, projectId, eventId, eventType, endpointId }, dead) {
      // Of several deliveries the last to end decides, and it may be one that succeeds.
      if ((!dead && endpointId === null) || isNotice(eventType)) return
      if (ended.length >= MAX_WAITING || !isWanted(tenantId, projectId, 'service.event.dead'))
        return
      ended.push({ tenantId, eventId })
      tick()
    },
    tick,
    async idle() {
      await telling
    },
  }
}
