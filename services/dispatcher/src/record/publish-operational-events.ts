/**
 * Tells customers what has become of their endpoints' circuits, where an endpoint of the project asks for it; for everybody
 * else it costs a look into what is cached of the tenant. All other operational events are written by the transactions that
 * they tell of; a circuit changes in the state store, so what is told of it waits in memory until Postgres has taken it.
 */
import {
  type OperationalEvent,
  type OperationalEventType,
  wantsOperationalEvent,
} from '@posthorn/domain/operational-events'
import type { Log } from '@posthorn/runtime/log'
import type { TenantConfig } from '../config/tenant-config.ts'

export interface PublishOperationalEventsDeps {
  peekTenant(tenantId: string): TenantConfig | null | undefined
  tellOperationalEvents(notices: readonly OperationalEvent[]): Promise<void>
  isUnavailable(error: unknown): boolean
  log: Pick<Log, 'warn'>
}

export interface PublishOperationalEvents {
  add(notice: OperationalEvent): void
  /** Tries again what could not be told; called every second. */
  tick(): void
  idle(): Promise<void>
}

/** While Postgres is away; beyond it they are lost. */
const MAX_WAITING = 1_000

export function createPublishOperationalEvents(
  deps: PublishOperationalEventsDeps,
): PublishOperationalEvents {
  let notices: OperationalEvent[] = []
  let telling: Promise<void> | undefined

  function isWanted(tenantId: string, projectId: string, type: OperationalEventType): boolean {
    const tenant = deps.peekTenant(tenantId)
    // Not known here: Postgres decides.
    if (tenant === undefined) return true
    return wantsOperationalEvent(tenant?.operationalEventPatterns.get(projectId) ?? [], type)
  }

  function tick(): void {
    if (telling !== undefined || notices.length === 0) return
    telling = tell()
      .catch((error: unknown) => deps.log.warn('notices.not-told', { error }))
      .finally(() => {
        telling = undefined
      })
  }

  async function tell(): Promise<void> {
    // Those of this turn of the event loop go together.
    await new Promise(setImmediate)
    while (notices.length > 0) {
      const some = notices
      notices = []
      try {
        await deps.tellOperationalEvents(some)
      } catch (error) {
        if (deps.isUnavailable(error)) notices = [...some, ...notices].slice(0, MAX_WAITING)
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
    tick,
    async idle() {
      await telling
    },
  }
}
