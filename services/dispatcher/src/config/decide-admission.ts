/**
 * Whether a delivery may go and to which target, from what is known of its tenant. Asked twice:
 * when the delivery is admitted, and again just before its attempt. Pure.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { TenantConfig } from './read-tenant.ts'
import type { ResolvedTarget } from './resolve-target.ts'

export type Admission =
  | { outcome: 'send'; target: ResolvedTarget }
  /** It waits in Postgres at its target and uses up no attempt. */
  | { outcome: 'park'; targetId: string }
  | { outcome: 'cancel'; reason: string }
  /**
   * The endpoint may be newer than the tenant as we know it; absent again when reread, it is gone.
   */
  | { outcome: 'unknown' }

/** @param fresh the tenant was read after the delivery was announced */
export function decideAdmission(
  message: Pick<DueDelivery, 'endpointId' | 'destination'>,
  tenant: TenantConfig | null,
  fresh: boolean,
): Admission {
  const { endpointId, destination } = message
  if (tenant === null)
    return fresh ? { outcome: 'cancel', reason: 'tenant deleted' } : { outcome: 'unknown' }
  if (endpointId === null) {
    if (destination === null) return { outcome: 'cancel', reason: 'no destination' }
    return { outcome: 'send', target: tenant.direct(destination) }
  }
  const entry = tenant.endpoints.get(endpointId)
  if (entry === undefined && !fresh) return { outcome: 'unknown' }
  if (entry === undefined || entry.target === null)
    return { outcome: 'cancel', reason: 'endpoint deleted' }
  if (entry.status !== 'active') return { outcome: 'park', targetId: endpointId }
  return { outcome: 'send', target: entry.target }
}
