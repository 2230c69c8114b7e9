/**
 * Opens the sandbox for transformations from the settings. Its threads start when they are first
 * used.
 */
import { availableParallelism } from 'node:os'
import { createSandbox, type Sandbox } from '@posthorn/sandbox/sandbox'
import type { Clients } from './clients.ts'

export function openSandbox({ settings, log }: Pick<Clients, 'settings' | 'log'>): Sandbox {
  const config = {
    brand: settings.BRAND,
    maxPayloadBytes: settings.MAX_PAYLOAD_BYTES,
    maxInboundBytes: settings.MAX_INBOUND_BYTES,
    workers: settings.SANDBOX_THREADS ?? Math.max(1, availableParallelism() - 1),
  }
  return createSandbox(config, {
    onReplaced: (reason, tenantId, key) =>
      log.warn('sandbox.thread-replaced', { reason, tenantId, key }),
  })
}
