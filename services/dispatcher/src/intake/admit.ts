/**
 * From an announcement to a delivery that is ours (`resolve-ownership.ts`), or dropped when
 * somebody else has it. Then, as its tenant's configuration and its endpoint's circuit have it
 * (`config/decide-admission.ts`): into its target's queue, parked at its target, or cancelled.
 *
 * A copy of a delivery that is already here makes no second attempt; a newer copy only brings a
 * newer token. One that is leaving makes way for its newer copy: it may be parked already, and the
 * copy be what was fetched from there, before the statement that parked it is known to have ended.
 */
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { Log } from '@posthorn/runtime/log'
import { LEASE_MS } from '@posthorn/store/pipeline/sql/lease'
import type { ParkingWriter } from '../backlog/park-deliveries.ts'
import type { Configuration } from '../config/configuration.ts'
import { decideAdmission } from '../config/decide-admission.ts'
import type { TenantConfig } from '../config/read-tenant.ts'
import { DELETED } from '../config/resolve-target.ts'
import { type Admitted, type LeasedDelivery, newDelivery } from '../delivery.ts'
import type { InFlightSet } from '../in-flight-set.ts'
import type { Circuits } from '../schedule/circuits.ts'
import type { FairScheduler } from '../schedule/fair-scheduler.ts'
import type { Announced, ResolveOwnership } from './resolve-ownership.ts'

export interface AdmitDeps {
  resolveOwnership: ResolveOwnership
  inFlight: InFlightSet
  configuration: Pick<Configuration, 'peekTenant' | 'getTenant' | 'readTenant'>
  circuits: Pick<Circuits, 'learn' | 'stops'>
  scheduler: Pick<FairScheduler, 'enqueue' | 'pump'>
  parking: Pick<ParkingWriter, 'park' | 'cancel' | 'drop'>
  now(): number
  log: Pick<Log, 'warn'>
}

export interface Admit {
  /**
   * Resolves when each is ours and on its way, or dropped: it comes again when its `due_at` does.
   */
  announced(batch: readonly Announced[]): Promise<void>
  /**
   * Takes on deliveries of a backlog, which are leased to us already.
   * @param asProbe though the circuit of their endpoint is open
   * @param askedAt before they were leased, in ms of the process's clock
   * @returns how many are on their way; the others had been here all along
   */
  fetched(deliveries: readonly DueDelivery[], asProbe: boolean, askedAt: number): Promise<number>
  /** Takes on the next deliveries of their lanes, which are leased to us already. */
  released(deliveries: readonly DueDelivery[], askedAt: number): Promise<void>
}

// oxlint-disable-next-line max-lines-per-function -- the steps of one admission, in their order
export function createAdmit(deps: AdmitDeps): Admit {
  const { inFlight, configuration, circuits, scheduler, parking, log } = deps

  async function announced(batch: readonly Announced[]): Promise<void> {
    const [owned] = await Promise.all([
      deps.resolveOwnership(batch.filter(({ message }) => !isOld(message))),
      circuits.learn(batch),
    ])
    const taken: Admitted[] = []
    for (const { message, token, claimedToken, takenAt, leasedUntil } of owned)
      takeOn(taken, message, token, claimedToken, takenAt, leasedUntil)
    await routeAll(taken, false)
  }

  function isOld(message: DueDelivery): boolean {
    const here = inFlight.get(message.deliveryId)
    return here !== undefined && message.token <= here.token
  }

  function takeOn(
    taken: Admitted[],
    message: DueDelivery,
    token: number,
    claimedToken: number | null,
    takenAt: number,
    leasedUntil?: number,
  ): void {
    const here = inFlight.get(message.deliveryId)
    if (here !== undefined && token <= here.token) return
    if (here === undefined || here.phase === 'leaving') {
      const delivery = newDelivery(message, token, claimedToken, takenAt, leasedUntil)
      inFlight.add(delivery)
      taken.push(delivery)
      return
    }
    here.token = token
    here.claimedToken = claimedToken
    here.leasedUntil = leasedUntil ?? Infinity
    here.lost = false
    // A replay counts its attempts anew. A message with other attempts than ours stands further on:
    // our result will not be recorded, and the row comes again.
    if (here.message.attempts === message.attempts) here.message = message
  }

  function takeLeased(deliveries: readonly DueDelivery[], askedAt: number): Admitted[] {
    const now = deps.now()
    const taken: Admitted[] = []
    for (const message of deliveries) {
      takeOn(taken, message, message.token, null, now, askedAt + LEASE_MS)
    }
    return taken
  }

  async function released(deliveries: readonly DueDelivery[], askedAt: number): Promise<void> {
    const taken = takeLeased(deliveries, askedAt)
    // A long attempt may have outlasted what was known of its endpoint's circuit.
    const learning = circuits.learn(taken)
    if (learning !== undefined) await learning
    await routeAll(taken, false)
  }

  async function fetched(
    deliveries: readonly DueDelivery[],
    asProbe: boolean,
    askedAt: number,
  ): Promise<number> {
    const taken = takeLeased(deliveries, askedAt)
    if (asProbe) for (const delivery of taken) delivery.probe = true
    await routeAll(taken, true)
    return taken.length
  }

  async function routeAll(taken: readonly Admitted[], isFetched: boolean): Promise<void> {
    const unknown = new Map<string, Admitted[]>()
    for (const delivery of taken) {
      const { tenantId } = delivery.message
      const tenant = configuration.peekTenant(tenantId)
      if (tenant !== undefined && route(delivery, tenant, false, isFetched)) continue
      const others = unknown.get(tenantId)
      if (others === undefined) unknown.set(tenantId, [delivery])
      else others.push(delivery)
    }
    scheduler.pump()
    if (unknown.size === 0) return
    await Promise.all(
      [...unknown].map(([tenantId, deliveries]) => routeUnknown(tenantId, deliveries, isFetched)),
    )
    scheduler.pump()
  }

  async function routeUnknown(
    tenantId: string,
    unknown: readonly Admitted[],
    isFetched: boolean,
  ): Promise<void> {
    try {
      const tenant = await configuration.getTenant(tenantId)
      const still = unknown.filter((delivery) => !route(delivery, tenant, false, isFetched))
      if (still.length === 0) return
      const fresh = await configuration.readTenant(tenantId)
      for (const delivery of still) {
        noteIfDeleted(fresh, delivery.message.endpointId)
        route(delivery, fresh, true, isFetched)
      }
    } catch (error) {
      log.warn('tenant.not-read', { tenantId, deliveries: unknown.length, error })
      for (const delivery of unknown) dropIfAdmitted(delivery)
    }
  }

  /** Some may have been routed before the error. */
  function dropIfAdmitted(delivery: LeasedDelivery): void {
    if (delivery.phase === 'admitted') parking.drop(delivery)
  }

  /** @returns false when the tenant has to be read again to tell */
  function route(
    delivery: Admitted,
    tenant: TenantConfig | null,
    fresh: boolean,
    isFetched: boolean,
  ): boolean {
    const admission = decideAdmission(delivery.message, tenant, fresh)
    if (admission.outcome === 'unknown') return false
    if (admission.outcome === 'send') {
      const { target } = admission
      if (circuits.stops(delivery, target)) parking.park(delivery, target.targetId)
      else scheduler.enqueue(delivery, target, isFetched)
    } else if (admission.outcome === 'park') parking.park(delivery, admission.targetId)
    else parking.cancel(delivery, admission.reason)
    return true
  }

  return { announced, fetched, released }
}

/**
 * Deleted endpoints that are noted for one tenant; beyond it each delivery to another asks again.
 */
const MAX_NOTED = 10_000

/** What is not in a configuration that was read after the delivery was made is gone for good. */
function noteIfDeleted(tenant: TenantConfig | null, endpointId: string | null): void {
  if (tenant === null || endpointId === null || tenant.endpoints.has(endpointId)) return
  if (tenant.notedDeleted >= MAX_NOTED) return
  tenant.notedDeleted += 1
  tenant.endpoints.set(endpointId, DELETED)
}
