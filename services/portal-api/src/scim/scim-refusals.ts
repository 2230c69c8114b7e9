/**
 * Refusals of the SCIM routes, with the word that SCIM has for the reason (RFC 7644, table 9). The
 * server puts them into SCIM's own shape.
 */
import { ApiError } from '@posthorn/contracts/errors'

export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'

export function scimRefusal(scimType: ScimType, message: string): ApiError {
  return new ApiError('BAD_REQUEST', message, { details: { scimType } })
}

export function notUnique(message: string): ApiError {
  return new ApiError('CONFLICT', message, { details: { scimType: 'uniqueness' } })
}

/** Names that reach an object's prototype where a library sets what a path names. */
const DANGEROUS = new Set(['__proto__', 'constructor', 'prototype'])

export function refuseDangerousName(path: string): void {
  for (const name of path.split(/[^\w$]+/)) {
    if (!DANGEROUS.has(name.toLowerCase())) continue
    throw scimRefusal('invalidPath', `no attribute is called ${name}`)
  }
}
