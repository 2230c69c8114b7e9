/** Checks a client certificate for an endpoint's row and seals its key. */
import { badField } from '@posthorn/http/errors'
import type { Endpoint } from '@posthorn/store/generated/client'
import type { Seal } from '@posthorn/store/seal'
import { checkMtlsPair } from './mtls-pair.ts'
import { placeOf } from './seal-columns.ts'

export type MtlsColumns = Pick<Endpoint, 'mtlsCert' | 'mtlsKey'>

export const NO_MTLS: MtlsColumns = { mtlsCert: null, mtlsKey: null }

export interface GivenMtls {
  cert: string
  key: string
  /** The names of these fields in the body. */
  names: { cert: string; key: string }
}

/** @param now in ms since 1970 */
export function sealMtls(
  seal: Pick<Seal, 'seal'>,
  endpoint: Pick<Endpoint, 'tenantId' | 'id'>,
  given: GivenMtls,
  now: number,
): MtlsColumns {
  const check = checkMtlsPair(given.cert, given.key, now)
  if (check.outcome === 'invalid') throw badField(given.names[check.part], check.reason)
  return {
    mtlsCert: check.pair.cert,
    mtlsKey: seal.seal(check.pair.key, placeOf('mtlsKey', endpoint)),
  }
}

/**
 * The columns for a body that creates or changes an endpoint. Its schema ensures that both fields
 * are given or none.
 */
export function mtlsOf(
  body: { mtlsCert?: string | null | undefined; mtlsKey?: string | null | undefined },
  seal: Pick<Seal, 'seal'>,
  endpoint: Pick<Endpoint, 'tenantId' | 'id'>,
  now: number,
): MtlsColumns | undefined {
  const { mtlsCert: cert, mtlsKey: key } = body
  if (cert === undefined || key === undefined) return undefined
  if (cert === null || key === null) return NO_MTLS
  const names = { cert: 'mtlsCert', key: 'mtlsKey' }
  return sealMtls(seal, endpoint, { cert, key, names }, now)
}
