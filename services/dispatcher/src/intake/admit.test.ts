import { expect, test } from '@jest/globals'
import type { DueDelivery } from '@posthorn/contracts/topics'
import { type AdmitDeps, createAdmit } from './admit.ts'
import type { TenantConfig, ResolvedTarget } from '../config/tenant-config.ts'
import { createInFlightSet } from '../in-flight-set.ts'

test('the next in a lane is held when the circuit has opened elsewhere while the one before it was tried', async () => {
  const steps: string[] = []
  const circuit = Promise.withResolvers<void>()
  let open = false
  const way = { targetId: 'n', endpointId: 'n' } as ResolvedTarget
  const tenant = {
    endpoints: new Map([['n', { status: 'active', way }]]),
  } as unknown as TenantConfig
  const admit = createAdmit({
    works: createInFlightSet(),
    peekTenant: () => tenant,
    learnCircuits: () => circuit.promise,
    isOpen: () => open,
    enqueue: () => steps.push('sent'),
    hold: () => steps.push('held'),
    pump: () => undefined,
    now: () => 0,
  } as unknown as AdmitDeps)
  const next = { deliveryId: 'd', tenantId: 't', endpointId: 'n', lane: 'k' } as DueDelivery
  const released = admit.released([next], 0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(steps).toEqual([])
  open = true
  circuit.resolve()
  await released
  expect(steps).toEqual(['held'])
})
