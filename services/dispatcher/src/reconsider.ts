/** Just before a try: whether it still goes, and which way, as its endpoint is now. */
import { decideAdmission } from './admit-decision.ts'
import type { TenantConfig, Way } from './tenant-config.ts'
import type { Work } from './work.ts'

export interface ReconsiderDeps {
  /** undefined: not in memory or not fresh. */
  peekTenant(tenantId: string): TenantConfig | null | undefined
  /** Nothing but a probe goes that way. */
  isOpen(way: Way): boolean
  hold(work: Work, targetId: string): void
  cancel(work: Work, reason: string): void
}

/** null: it does not go, and has been seen to. */
export type Reconsider = (work: Work) => Way | null

export function isStopped(
  { isOpen }: Pick<ReconsiderDeps, 'isOpen'>,
  work: Work,
  way: Way,
): boolean {
  return way.circuit !== null && !work.probe && isOpen(way)
}

export function createReconsider(deps: ReconsiderDeps): Reconsider {
  function unlessStopped(work: Work, way: Way | null): Way | null {
    if (way === null || !isStopped(deps, work, way)) return way
    deps.hold(work, way.targetId)
    return null
  }

  return (work) => {
    const tenant = deps.peekTenant(work.message.tenantId)
    if (tenant === undefined) return unlessStopped(work, work.way)
    const admission = decideAdmission(work.message, tenant, false)
    if (admission.outcome === 'send') return unlessStopped(work, admission.way)
    if (admission.outcome === 'unknown') return unlessStopped(work, work.way)
    if (admission.outcome === 'hold') deps.hold(work, admission.targetId)
    else deps.cancel(work, admission.reason)
    return null
  }
}
