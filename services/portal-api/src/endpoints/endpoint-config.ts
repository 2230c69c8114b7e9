/**
 * An endpoint's configuration: how a body merges into it, what has changed, and the checks that its
 * schema can't express. Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  ENDPOINT_DEFAULTS,
  type CreateEndpoint,
  type EndpointConfig,
  type PatchEndpoint,
} from '@posthorn/contracts/endpoints'
import type { FieldProblem } from '@posthorn/contracts/errors'
import type { StorageConfig, StorageTarget } from '@posthorn/contracts/storage-config'
import { compileFilter } from '@posthorn/domain/filter'
import { compilePath } from '@posthorn/domain/json-path'

export function newConfig(body: CreateEndpoint): EndpointConfig {
  return mergeConfig({ ...ENDPOINT_DEFAULTS, url: body.url, eventTypes: body.eventTypes }, body)
}

/** Fields of a body that are not versioned. */
const UNVERSIONED = new Set(['signingSecret', 'mtlsCert', 'mtlsKey', 'status'])

/**
 * Fields that are left out keep their values, and null empties those that may be empty. Secrets and
 * status are not part of the configuration. A storage sink is set as a whole, and is dropped with
 * the mode that it is for.
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

/** Everything but the credentials. */
function targetOf(storage: StorageConfig | null): StorageTarget | null {
  if (storage === null || storage.type !== 's3') return storage
  const { accessKeyId: _id, secretAccessKey: _secret, ...target } = storage
  return target
}

/** The fields that differ, in the order of `to`. */
export function changedFields(from: Partial<EndpointConfig>, to: EndpointConfig): string[] {
  const before: Record<string, unknown> = from
  return Object.entries(to)
    .filter(([name, value]) => !isDeepStrictEqual(before[name], value))
    .map(([name]) => name)
}

/**
 * The fields of a new endpoint that are not defaults: these are the changes of its first version.
 */
export function initialFields(config: EndpointConfig): string[] {
  return changedFields(ENDPOINT_DEFAULTS, config)
}

/** Checks the configuration after merging, and names a field as the body spelled it. */
export function configProblems(
  config: EndpointConfig,
  patch: PatchEndpoint,
  isValidCidr: (text: string) => boolean,
): FieldProblem[] {
  const problems: FieldProblem[] = []
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

/**
 * Only a filter in the body is checked: one that was accepted once does not block another change.
 */
function filterProblems({ filter }: PatchEndpoint): FieldProblem[] {
  const compiled = compileFilter(filter ?? [])
  if (compiled.outcome === 'ok') return []
  return compiled.problems.map(({ path, message }) => ({ path: `filter.${path}`, message }))
}

/** Only a partition key in the body is checked, as with a filter. */
function partitionProblems({ fifoPartitionKey }: PatchEndpoint): FieldProblem[] {
  if (fifoPartitionKey === undefined || fifoPartitionKey === null) return []
  const compiled = compilePath(fifoPartitionKey)
  return compiled.outcome === 'ok' ? [] : [{ path: 'fifoPartitionKey', message: compiled.reason }]
}
