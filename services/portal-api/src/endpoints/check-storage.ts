/**
 * Checks an endpoint's storage sink: that there is one when the delivery mode asks for it, and
 * where it leads.
 */
import type { EndpointConfig, PatchEndpoint } from '@posthorn/contracts/endpoints'
import { ApiError } from '@posthorn/contracts/errors'
import type { StorageTarget } from '@posthorn/contracts/storage-config'
import { prefixProblem } from '@posthorn/domain/object-key'
import { badField } from '@posthorn/http/errors'
import type { CheckEndpointDestination } from './check-endpoint.ts'

export interface StorageRules {
  checkDestination: CheckEndpointDestination
  /** `STORAGE_DIR` is set. */
  hasStorageDir: boolean
}

/**
 * @param body the whole configuration is always checked, but the sink itself only when the body
 *   sets it or the mode, so that a sink that was accepted once does not block other changes
 */
export function checkStorage(
  { deliveryMode, storageConfig }: EndpointConfig,
  body: PatchEndpoint,
  rules: StorageRules,
): void {
  if (deliveryMode === 'storage' && storageConfig === null) {
    throw badField('storageConfig', 'is required when deliveryMode is storage')
  }
  if (deliveryMode !== 'storage' && storageConfig !== null) {
    throw badField('storageConfig', 'is for deliveryMode storage only')
  }
  if (storageConfig === null) return
  if (body.storageConfig !== undefined || body.deliveryMode !== undefined) {
    checkTarget(storageConfig, rules)
  }
}

function checkTarget(target: StorageTarget, rules: StorageRules): void {
  const problem = prefixProblem(target.prefix ?? '')
  if (problem !== null) throw badField('storageConfig.prefix', problem)
  if (target.type === 's3') return checkStore(target.endpoint, rules)
  if (rules.hasStorageDir) return
  throw badField(
    'storageConfig.type',
    'file is off here: whoever runs the service sets STORAGE_DIR',
  )
}

/** Amazon's own hosts follow from the region. Like any other, they are checked when connecting. */
function checkStore(endpoint: string | undefined, { checkDestination }: StorageRules): void {
  if (endpoint === undefined) return
  const path = 'storageConfig.endpoint'
  const check = checkDestination(endpoint)
  if (check.outcome === 'invalid') throw badField(path, check.reason)
  if (check.outcome === 'blocked') {
    const details = [{ path, message: check.reason }]
    throw new ApiError('DESTINATION_BLOCKED', `this store is blocked: ${check.reason}`, { details })
  }
  if (check.url.search !== '' || check.url.hash !== '') {
    throw badField(path, 'must have no query and no fragment')
  }
}
