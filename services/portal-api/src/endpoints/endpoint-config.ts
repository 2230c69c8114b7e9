/** What an endpoint is set to: how a body merges into it, what has changed, and what its schema alone can't judge. Pure. */
import { isDeepStrictEqual } from 'node:util'
import {
  ENDPOINT_DEFAULTS,
  type CreateEndpoint,
  type EndpointConfig,
  type PatchEndpoint,
} from '@posthorn/contracts/endpoints'
import type { StorageConfig, StorageTarget } from '@posthorn/contracts/storage-config'
import { compileFilter } from '@posthorn/domain/filter'
import { compilePath } from '@posthorn/domain/json-path'

export interface Problem {
  path: string
  message: string
}

export function newConfig(body: CreateEndpoint): EndpointConfig {
  return mergeConfig({ ...ENDPOINT_DEFAULTS, url: body.url, eventTypes: body.eventTypes }, body)
}

/** What a body sets that has no versions. */
const UNVERSIONED = new Set(['signingSecret', 'mtlsCert', 'mtlsKey', 'status'])

/**
 * Fields that are left out stay; null empties those that may be empty. Secrets and status are no part of it. A storage
 * sink is set as a whole, and goes with the mode that it is for.
 */
export function mergeConfig(config: EndpointConfig, patch: PatchEndpoint): EndpointConfig {
  const { allowedCIDRs, blockedCIDRs, ...fields } = patch
  const merged: Record<string, unknown> = { ...config }
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && !UNVERSIONED.has(name)) merged[name] = value
  }
  if (allowedCIDRs !== undefined) merged['allowedCidrs'] = allowedCIDRs
  if (blockedCIDRs !== undefined) merged['blockedCidrs'] = blockedCIDRs
  if (patch.storageConfig !== undefined) merged['storageConfig'] = targetOf(patch.storageConfig)
  else if (merged['deliveryMode'] !== 'storage') merged['storageConfig'] = null
  return merged as EndpointConfig
}

/** All but the credentials. */
function targetOf(storage: StorageConfig | null): StorageTarget | null {
  if (storage === null || storage.type !== 's3') return storage
  const { accessKeyId: _id, secretAccessKey: _secret, ...target } = storage
  return target
}

/** The fields in which `to` differs, in their order in `to`. */
export function changedFields(from: Partial<EndpointConfig>, to: EndpointConfig): string[] {
  const before: Record<string, unknown> = from
  return Object.entries(to)
    .filter(([name, value]) => !isDeepStrictEqual(before[name], value))
    .map(([name]) => name)
}

/** What a new endpoint's first version sets: all that is not a default. */
export function initialFields(config: EndpointConfig): string[] {
  return changedFields(ENDPOINT_DEFAULTS, config)
}

/** Judges the whole after merging, and names a range as the body spelled its field. */
export function configProblems(
  config: EndpointConfig,
  patch: PatchEndpoint,
  isValidCidr: (text: string) => boolean,
): Problem[] {
  const problems: Problem[] = []
  if (config.retryBackoffMax < config.retryBackoffMs) {
    const message = `must be at least retryBackoffMs (${config.retryBackoffMs})`
    problems.push({ path: 'retryBackoffMax', message })
  }
  for (const field of ['allowedCidrs', 'allowedCIDRs', 'blockedCidrs', 'blockedCIDRs'] as const) {
    for (const [index, cidr] of (patch[field] ?? []).entries()) {
      if (isValidCidr(cidr)) continue
      problems.push({
        path: `${field}.${index}`,
        message: 'must be a CIDR range such as 203.0.113.0/24',
      })
    }
  }
  return [...problems, ...filterProblems(patch), ...partitionProblems(patch)]
}

/** Of what is written only: a filter that was taken once does not stand in the way of another change. */
function filterProblems({ filter }: PatchEndpoint): Problem[] {
  const compiled = compileFilter(filter ?? [])
  if (compiled.outcome === 'ok') return []
  return compiled.problems.map(({ path, message }) => ({ path: `filter.${path}`, message }))
}

/** Of what is written only, as a filter. */
function partitionProblems({ fifoPartitionKey }: PatchEndpoint): Problem[] {
  if (fifoPartitionKey === undefined || fifoPartitionKey === null) return []
  const compiled = compilePath(fifoPartitionKey)
  return compiled.outcome === 'ok' ? [] : [{ path: 'fifoPartitionKey', message: compiled.reason }]
}
