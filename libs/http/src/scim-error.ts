/** Errors in the shape of SCIM (RFC 7644, section 3.12): its clients do not know our envelope. */
import type { ErrorAnswer } from './errors.ts'

export const SCIM_TYPE = 'application/scim+json'
const PREFIX = '/scim/v2'

/** @param url of a request: its path, and a query if there is one */
export function isScimPath(url: string): boolean {
  return url.startsWith(PREFIX) && /^(?:[/?]|$)/.test(url.slice(PREFIX.length))
}

/** The error as JSON text. `scimType`, where there is one, stands in the details of the refusal. */
export function scimErrorOf({ status, body }: ErrorAnswer): string {
  const { scimType } = (body.details ?? {}) as { scimType?: unknown }
  return JSON.stringify({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(typeof scimType === 'string' ? { scimType } : {}),
    detail: body.error,
  })
}
