/**
 * The plainest way to sign, which a third of all platforms use: an HMAC of the body as it is, in
 * one header.
 */
import type { Encoding, HashName, HmacRule } from '../verification-rules.ts'

export interface BodyHmacOptions {
  /** Default: sha256. */
  readonly algorithm?: HashName
  /** Default: hex. */
  readonly encoding?: Encoding
  /** The text before the signature. */
  readonly prefix?: string
}

export function bodyHmac(header: string, options: BodyHmacOptions = {}): HmacRule {
  const { algorithm = 'sha256', encoding = 'hex', prefix } = options
  const format = prefix === undefined ? {} : { format: { kind: 'bare', prefix } as const }
  return {
    kind: 'hmac',
    algorithm,
    encoding,
    signature: { at: { header }, ...format },
    signed: '{body}',
  }
}
