/**
 * What a 410 does to its endpoint, once for all the deliveries that were answered so at one time.
 */
import type { Bus } from '@posthorn/bus/bus'
import type { Log } from '@posthorn/runtime/log'
import type { DisabledEndpoint } from '@posthorn/store/disable-endpoint'
import type { Configuration } from '../config/configuration.ts'
import type { Statements } from '../statements.ts'
import type { AttemptResult } from './classify-result.ts'

export interface DisableGoneDeps {
  statements: Pick<Statements, 'disableEndpoint'>
  configuration: Pick<Configuration, 'invalidate'>
  bus: Pick<Bus, 'announce'>
  log: Pick<Log, 'info' | 'warn'>
}

/** Does nothing for a result that is no 410, or that is not an endpoint's. */
export type DisableGone = (result: Pick<AttemptResult, 'attempt' | 'gone'>) => void

const REASON = 'answered 410 Gone'

/** A failure is left to the next 410. */
export function createDisableGone(deps: DisableGoneDeps): DisableGone {
  const underWay = new Set<string>()

  async function disable(endpoint: DisabledEndpoint): Promise<void> {
    const { tenantId, endpointId, version } = endpoint
    try {
      if (!(await deps.statements.disableEndpoint(endpoint))) return
      deps.configuration.invalidate(tenantId)
      deps.bus.announce('config.changed', [{ v: 1, tenantId, what: 'endpoints' }])
      deps.log.info('endpoint.disabled', { tenantId, endpointId, version })
    } catch (error) {
      deps.log.warn('endpoint.not-disabled', { tenantId, endpointId, error })
    }
  }

  return ({ attempt, gone }) => {
    const { tenantId, projectId, endpointId, endpointVersion: version, url } = attempt
    if (!gone || endpointId === null || version === null || underWay.has(endpointId)) return
    underWay.add(endpointId)
    const endpoint = { tenantId, projectId, endpointId, version, url, reason: REASON }
    void disable(endpoint).finally(() => underWay.delete(endpointId))
  }
}
