/** The meter of a process: what its services accept and deliver is counted together. */
import type { Part } from '@posthorn/runtime/run'
import {
  createUsageMeter,
  createUsageTicker,
  type UsageMeter,
} from '@posthorn/store/usage/usage-meter'
import type { Clients } from './clients.ts'

/** `usagePart` is started before the services that count, and stopped after them. */
export function openUsage({ pool, clock, log }: Pick<Clients, 'pool' | 'clock' | 'log'>): {
  usage: UsageMeter
  usagePart: Part
} {
  const usage = createUsageMeter({ pool, now: clock.now, log })
  return { usage, usagePart: createUsageTicker(usage, log) }
}
