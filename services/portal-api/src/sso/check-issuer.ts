/** Checks on a connection's issuer that its schema can't express. */
import { ApiError } from '@posthorn/contracts/errors'
import type { DestinationCheck } from '@posthorn/egress/check-destination'
import { badField } from '@posthorn/http/errors'
import { entraTenantOf, isEntra } from './entra.ts'

export interface IssuerChecks {
  checkDestination: (url: string) => DestinationCheck
  /** Whether a provider may be reached without TLS. */
  mayBePlain: (url: string) => boolean
}

const PATH = 'oidc.issuer'

/** @throws BAD_REQUEST or DESTINATION_BLOCKED */
export function checkIssuer(issuer: string, { checkDestination, mayBePlain }: IssuerChecks): void {
  const check = checkDestination(issuer)
  if (check.outcome === 'invalid') throw badField(PATH, check.reason)
  if (check.outcome === 'blocked') {
    throw new ApiError('DESTINATION_BLOCKED', `the issuer is blocked: ${check.reason}`, {
      details: [{ path: PATH, message: check.reason }],
    })
  }
  const { url } = check
  if (url.protocol !== 'https:' && !mayBePlain(issuer)) throw badField(PATH, 'must be an https URL')
  if (url.search !== '' || url.hash !== '') throw badField(PATH, 'must have no query and fragment')
  // Anybody at all has an account at Microsoft's common address, with whatever e-mail address.
  if (isEntra(issuer) && entraTenantOf(issuer) === null) {
    throw badField(PATH, 'must name your own tenant: https://login.microsoftonline.com/<id>/v2.0')
  }
}
