/**
 * From an announcement to a delivery that is ours (`ask-whose`), dropped when somebody else has it. Then where it goes: to
 * its line, to its target's backlog, or to its end.
 *
 * A copy of what is already here makes no second try. A newer one only tells the newer token.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import { LEASE_MS } from '@posthorn/store/pipeline/lease'
import { decideAdmission } from '../config/decide-admission.ts'
import {
  type Announced,
  type ResolveOwnershipDeps,
  createResolveOwnership,
} from './resolve-ownership.ts'
import { createReconsider, isStopped, type Reconsider } from '../reconsider.ts'
import { DELETED, type TenantConfig, type ResolvedTarget } from '../config/tenant-config.ts'
import { newLeasedDelivery, type LeasedDelivery, type DeliveriesById } from '../delivery.ts'

export interface AdmitDeps extends ResolveOwnershipDeps {
  inFlight: DeliveriesById
  /** undefined: not in memory or not fresh. */
  peekTenant(tenantId: string): TenantConfig | null | undefined
  getTenant(tenantId: string): Promise<TenantConfig | null>
  /** Read from now on, not before. */
  readTenant(tenantId: string): Promise<TenantConfig | null>
  enqueue(work: LeasedDelivery, way: ResolvedTarget, fetched: boolean): void
  pump(): void
  hold(work: LeasedDelivery, targetId: string): void
  cancel(work: LeasedDelivery, reason: string): void
  /** Reads the circuits that are not known; undefined: there are none. */
  learnCircuits(batch: readonly { message: DueDelivery }[]): Promise<void> | undefined
  /** Nothing but a probe goes that way. */
  isOpen(way: ResolvedTarget): boolean
}

export interface Admit {
  /** Resolves when each is ours and on its way, or dropped: what is dropped comes again when its `due_at` does. */
  announced(batch: readonly Announced[]): Promise<void>
  /**
   * Of a backlog; leased to us already. As probes they go though their endpoint's circuit is open.
   * @param askedAt before they were, in ms of the process's clock
   * @returns how many are on their way; the others had never left
   */
  fetched(deliveries: readonly DueDelivery[], asProbes: boolean, askedAt: number): Promise<number>
  /** The next in their lanes; leased to us already. */
  released(deliveries: readonly DueDelivery[], askedAt: number): Promise<void>
  /** Just before a try: its way as it is now; null: it does not go. */
  reconsider: Reconsider
}

export function createAdmit(deps: AdmitDeps): Admit {
  const { inFlight: works, log } = deps
  const askWhose = createResolveOwnership(deps)

  async function announced(batch: readonly Announced[]): Promise<void> {
    const [granted] = await Promise.all([
      askWhose(batch.filter(({ message }) => !isOld(message))),
      deps.learnCircuits(batch),
    ])
    const taken: LeasedDelivery[] = []
    for (const { message, token, claimedToken, takenAt, heldUntil } of granted)
      takeOn(taken, message, token, claimedToken, takenAt, heldUntil)
    await route(taken, false)
  }

  function isOld(message: DueDelivery): boolean {
    const here = works.get(message.deliveryId)
    return here !== undefined && message.token <= here.token
  }

  function takeOn(
    taken: LeasedDelivery[],
    message: DueDelivery,
    token: number,
    claimedToken: number | null,
    takenAt: number,
    heldUntil?: number,
  ): void {
    const here = works.get(message.deliveryId)
    if (here === undefined) {
      const work = newLeasedDelivery(message, token, claimedToken, takenAt, heldUntil)
      works.set(message.deliveryId, work)
      taken.push(work)
      return
    }
    if (token <= here.token) return
    here.token = token
    here.claimedToken = claimedToken
    here.heldUntil = heldUntil ?? Infinity
    here.lost = false
    // A replay counts its tries anew. With other tries than ours it stands further on: ours will not be recorded, and
    // the row comes again.
    if (here.message.attempts === message.attempts) here.message = message
  }

  function takeLeased(deliveries: readonly DueDelivery[], askedAt: number): LeasedDelivery[] {
    const now = deps.now()
    const taken: LeasedDelivery[] = []
    for (const message of deliveries) {
      takeOn(taken, message, message.token, null, now, askedAt + LEASE_MS)
    }
    return taken
  }

  async function released(deliveries: readonly DueDelivery[], askedAt: number): Promise<void> {
    const taken = takeLeased(deliveries, askedAt)
    // A try that lasted may have outlasted what was known of its endpoint's circuit.
    const learning = deps.learnCircuits(taken)
    if (learning !== undefined) await learning
    await route(taken, false)
  }

  async function fetched(
    deliveries: readonly DueDelivery[],
    asProbes: boolean,
    askedAt: number,
  ): Promise<number> {
    const taken = takeLeased(deliveries, askedAt)
    if (asProbes) for (const work of taken) work.probe = true
    await route(taken, true)
    return taken.length
  }

  async function route(taken: readonly LeasedDelivery[], isFetched: boolean): Promise<void> {
    const unknown = new Map<string, LeasedDelivery[]>()
    for (const work of taken) {
      const { tenantId } = work.message
      const tenant = deps.peekTenant(tenantId)
      if (tenant !== undefined && send(work, tenant, false, isFetched)) continue
      const others = unknown.get(tenantId)
      if (others === undefined) unknown.set(tenantId, [work])
      else others.push(work)
    }
    deps.pump()
    if (unknown.size === 0) return
    await Promise.all(
      [...unknown].map(([tenantId, works_]) => routeUnknown(tenantId, works_, isFetched)),
    )
    deps.pump()
  }

  async function routeUnknown(
    tenantId: string,
    unknown: readonly LeasedDelivery[],
    isFetched: boolean,
  ): Promise<void> {
    try {
      const tenant = await deps.getTenant(tenantId)
      const still = unknown.filter((work) => !send(work, tenant, false, isFetched))
      if (still.length === 0) return
      const fresh = await deps.readTenant(tenantId)
      for (const work of still) {
        noteIfDeleted(fresh, work.message.endpointId)
        send(work, fresh, true, isFetched)
      }
    } catch (error) {
      log.warn('tenant.not-read', { tenantId, deliveries: unknown.length, error })
      for (const work of unknown)
        if (work.phase === 'admitted') works.delete(work.message.deliveryId)
    }
  }

  /** @returns false when the tenant has to be read again to tell */
  function send(
    work: LeasedDelivery,
    tenant: TenantConfig | null,
    fresh: boolean,
    isFetched: boolean,
  ): boolean {
    const admission = decideAdmission(work.message, tenant, fresh)
    if (admission.outcome === 'unknown') return false
    if (admission.outcome === 'send') {
      if (isStopped(deps, work, admission.way)) deps.hold(work, admission.way.targetId)
      else deps.enqueue(work, admission.way, isFetched)
    } else if (admission.outcome === 'hold') deps.hold(work, admission.targetId)
    else deps.cancel(work, admission.reason)
    return true
  }

  return { announced, fetched, released, reconsider: createReconsider(deps) }
}

/** Deleted endpoints that are remembered for one tenant; beyond it each delivery to another asks again. */
const MAX_NOTED = 10_000

/** What is not in a configuration that was read after the delivery was made is gone for good. */
function noteIfDeleted(tenant: TenantConfig | null, endpointId: string | null): void {
  if (tenant === null || endpointId === null || tenant.endpoints.has(endpointId)) return
  if (tenant.notedDeleted >= MAX_NOTED) return
  tenant.notedDeleted += 1
  tenant.endpoints.set(endpointId, DELETED)
}
