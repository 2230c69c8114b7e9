/** For how many days each tenant keeps what, as retention reads it once for a round. */
import type { PlanRetention } from '@posthorn/domain/plans'

/** For how many days a tenant keeps what; 0: for ever. */
export interface TenantWindow extends PlanRetention {
  /** null: sign-ins of nobody knows which workspace. */
  tenantId: string | null
}

/** What is kept for a number of days of its own. */
export type RetainedKind = keyof PlanRetention

/** Nobody's workspace has sign-ins alone. */
export function isKeptBy({ tenantId }: TenantWindow, kind: RetainedKind): boolean {
  return tenantId !== null || kind === 'authAudit'
}

/** The longest window of all tenants; 0: somebody keeps it for ever. */
export function longestOf(windows: readonly TenantWindow[], kind: RetainedKind): number {
  const days = windows.filter((window) => isKeptBy(window, kind)).map((window) => window[kind])
  return days.includes(0) ? 0 : Math.max(0, ...days)
}
