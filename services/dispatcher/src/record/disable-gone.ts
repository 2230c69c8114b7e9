/** What a 410 does to its endpoint, once for all the deliveries that were answered so at the same time. */
import type { Log } from '@posthorn/runtime/log'
import type { DisabledEndpoint } from '@posthorn/store/disable-endpoint'

export interface DisableGoneDeps {
  disableEndpoint(endpoint: DisabledEndpoint): Promise<boolean>
  /** Here and everywhere. */
  announceChange(tenantId: string): void
  log: Pick<Log, 'info' | 'warn'>
}

export interface GoneEndpoint {
  tenantId: string
  projectId: string
  endpointId: string
  version: number
  url: string
}

export type DisableGone = (endpoint: GoneEndpoint) => void

const REASON = 'answered 410 Gone'

/** A failure is left to the next 410. */
export function createDisableGone(deps: DisableGoneDeps): DisableGone {
  const underWay = new Set<string>()

  async function disable(endpoint: GoneEndpoint): Promise<void> {
    const { tenantId, endpointId, version } = endpoint
    try {
      const { projectId, url } = endpoint
      const gone = { tenantId, projectId, endpointId, version, url, reason: REASON }
      if (!(await deps.disableEndpoint(gone))) return
      deps.announceChange(tenantId)
      deps.log.info('endpoint.disabled', { tenantId, endpointId, version })
    } catch (error) {
      deps.log.warn('endpoint.not-disabled', { tenantId, endpointId, error })
    }
  }

  return (endpoint) => {
    const { endpointId } = endpoint
    if (underWay.has(endpointId)) return
    underWay.add(endpointId)
    void disable(endpoint).finally(() => underWay.delete(endpointId))
  }
}
