/** Just before a try: whether it still goes, and which way, as its endpoint is now. */
import { decideAdmission } from './config/decide-admission.ts'
import type { TenantConfig, ResolvedTarget } from './config/tenant-config.ts'
import type { LeasedDelivery } from './delivery.ts'

export interface ReconsiderDeps {
  /** undefined: not in memory or not fresh. */
  peekTenant(tenantId: string): TenantConfig | null | undefined
  /** Nothing but a probe goes that way. */
  isOpen(way: ResolvedTarget): boolean
  hold(work: LeasedDelivery, targetId: string): void
  cancel(work: LeasedDelivery, reason: string): void
}

/** null: it does not go, and has been seen to. */
export type Reconsider = (work: LeasedDelivery) => ResolvedTarget | null

export function isStopped(
  { isOpen }: Pick<ReconsiderDeps, 'isOpen'>,
  work: LeasedDelivery,
  way: ResolvedTarget,
): boolean {
  return way.circuit !== null && !work.probe && isOpen(way)
}

export function createReconsider(deps: ReconsiderDeps): Reconsider {
  function unlessStopped(work: LeasedDelivery, way: ResolvedTarget | null): ResolvedTarget | null {
    if (way === null || !isStopped(deps, work, way)) return way
    deps.hold(work, way.targetId)
    return null
  }

  return (work) => {
    const tenant = deps.peekTenant(work.message.tenantId)
    if (tenant === undefined) return unlessStopped(work, work.target)
    const admission = decideAdmission(work.message, tenant, false)
    if (admission.outcome === 'send') return unlessStopped(work, admission.way)
    if (admission.outcome === 'unknown') return unlessStopped(work, work.target)
    if (admission.outcome === 'hold') deps.hold(work, admission.targetId)
    else deps.cancel(work, admission.reason)
    return null
  }
}
