import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import type { TenantConfig } from '../config/read-tenant.ts'
import type { ResolvedTarget } from '../config/resolve-target.ts'
import { type LeasedDelivery, newDelivery, toLeaving } from '../delivery.ts'
import { createInFlightSet } from '../in-flight-set.ts'
import { type AdmitDeps, createAdmit } from './admit.ts'

test('the next in a lane is parked when its circuit has opened elsewhere during the attempt', async () => {
  const steps: string[] = []
  const circuit = Promise.withResolvers<void>()
  let open = false
  const target = { targetId: 'n', endpointId: 'n' } as ResolvedTarget
  const tenant = {
    endpoints: new Map([['n', { status: 'active', target }]]),
  } as unknown as TenantConfig
  const admit = createAdmit({
    inFlight: createInFlightSet(),
    configuration: { peekTenant: () => tenant },
    circuits: { learn: () => circuit.promise, stops: () => open },
    scheduler: { enqueue: () => steps.push('queued'), pump: () => undefined },
    parking: { park: () => steps.push('parked') },
    now: () => 0,
  } as unknown as AdmitDeps)
  const next = { deliveryId: 'd', tenantId: 't', endpointId: 'n', lane: 'k' } as DueDelivery
  const released = admit.released([next], 0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(steps).toEqual([])
  open = true
  circuit.resolve()
  await released
  expect(steps).toEqual(['parked'])
})

test('a probe whose tenant cannot be read is dropped, so that its circuit may be probed again', async () => {
  const dropped: [string, boolean][] = []
  const admit = createAdmit({
    inFlight: createInFlightSet(),
    configuration: {
      peekTenant: () => undefined,
      getTenant: () => Promise.reject(new Error('Postgres is away')),
    },
    scheduler: { pump: () => undefined },
    parking: {
      drop: ({ message, probe }: LeasedDelivery) => dropped.push([message.deliveryId, probe]),
    },
    now: () => 0,
    log: { warn: () => undefined },
  } as unknown as AdmitDeps)
  const parked = { deliveryId: 'd', tenantId: 't', endpointId: 'n', lane: null } as DueDelivery
  await admit.fetched([parked], true, 0)
  expect(dropped).toEqual([['d', true]])
})

test('an older copy of what is leaving is not taken on', async () => {
  const inFlight = createInFlightSet()
  const message = { deliveryId: 'd', tenantId: 't', endpointId: 'n', lane: null } as DueDelivery
  const leaving = toLeaving(newDelivery(message, 2, null, 0))
  inFlight.add(leaving)
  const admit = createAdmit({
    inFlight,
    scheduler: { pump: () => undefined },
    now: () => 0,
  } as unknown as AdmitDeps)
  expect(await admit.fetched([{ ...message, token: 2 }], false, 0)).toBe(0)
  expect(inFlight.get('d')).toBe(leaving)
})
