/** The differences between two versions of an endpoint. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { VersionDiff } from '@posthorn/contracts/endpoint-versions'
import type { EndpointConfig } from '@posthorn/contracts/endpoints'
import { shownConfig } from './endpoint-record.ts'

/** Each field that differs, with both of its values. Secrets are not part of a version. */
export function diffConfigs(from: EndpointConfig, to: EndpointConfig): VersionDiff['changes'] {
  const before: Record<string, unknown> = shownConfig(from)
  const after: Record<string, unknown> = shownConfig(to)
  return Object.keys(before)
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }))
}
