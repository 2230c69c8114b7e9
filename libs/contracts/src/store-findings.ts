/**
 * What is found where a store is looked at before it is used, in words for whoever runs it; and the
 * faults of connections, which all stores share.
 */
export interface StoreFinding {
  /** `wrong`: the product cannot work so. `warning`: it can, worse than it could. */
  level: 'ok' | 'warning' | 'wrong'
  text: string
}

/** A clock that is further from ours than this is told of. */
export const CLOCK_WARNING_MS = 2_000
/** One that is further than this is wrong: sessions, tokens and certificates go by time. */
export const CLOCK_WRONG_MS = 30_000

/** @param aheadMs how far the store's clock is ahead of ours */
export function clockFinding(aheadMs: number): StoreFinding {
  const apart = Math.abs(aheadMs)
  const seconds = `${(apart / 1_000).toFixed(1)} s`
  const text = `its clock is ${seconds} ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine's`
  if (apart < CLOCK_WARNING_MS) return { level: 'ok', text: 'its clock agrees with ours' }
  return { level: apart > CLOCK_WRONG_MS ? 'wrong' : 'warning', text: `${text}: use NTP on both` }
}

const FAULTS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_SIGNATURE_FAILURE|self[- ]signed cert|unable to (verify|get)|signature failure/i,
    'its certificate was signed by an authority that is not trusted here: give the PEM file of the right one',
  ],
  [
    /ALTNAME_INVALID|does not match certificate|altnames/i,
    'its certificate is for another name than the one it is reached by',
  ],
  [/CERT_HAS_EXPIRED|certificate has expired/i, 'its certificate has expired'],
  [/CERT_NOT_YET_VALID|not yet valid/i, 'its certificate is not valid yet: compare the clocks'],
  [/ENOTFOUND|EAI_AGAIN/, 'its name is not known to the DNS'],
  [/ECONNREFUSED/, 'nobody listens at its address and port'],
  [/EHOSTUNREACH|ENETUNREACH/, 'there is no way to its address'],
  [
    /ETIMEDOUT|timed? ?out|timeout|no answer/i,
    'it does not answer in time: is a firewall between?',
  ],
  [
    /wrong version number|EPROTO|ssl3_get_record|packet length too long/i,
    'one side speaks TLS and the other does not',
  ],
]

/** @returns the fault in words, where it is one that any connection may have */
export function connectionFault(error: unknown): string | undefined {
  const said = describeChain(error)
  return FAULTS.find(([pattern]) => pattern.test(said))?.[1]
}

/** The codes and messages of an error and of what led to it. */
export function describeChain(error: unknown): string {
  const parts: string[] = []
  let one = error
  for (let depth = 0; depth < 6 && typeof one === 'object' && one !== null; depth += 1) {
    const { code, message, cause, originalError, lastNodeError, errors } = one as LinkedError
    parts.push(`${code ?? ''} ${message ?? ''}`.trim())
    one = cause ?? originalError ?? lastNodeError ?? errors?.[0]
  }
  return parts.filter((part) => part !== '').join('; ') || String(error)
}

interface LinkedError {
  code?: string
  message?: string
  cause?: unknown
  originalError?: unknown
  lastNodeError?: unknown
  errors?: unknown[]
}
