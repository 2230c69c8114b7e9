/** HMACs over the body in every algorithm and encoding that a user may choose. */
import type { AnyOf } from '../verification-rules.ts'

const ALGORITHMS = ['sha256', 'sha1', 'sha384', 'sha512'] as const
const ENCODINGS = ['hex', 'base64'] as const

export const GENERIC_HMAC: AnyOf = {
  kind: 'any',
  of: ALGORITHMS.flatMap((algorithm) =>
    ENCODINGS.map((encoding) => ({
      kind: 'hmac' as const,
      algorithm,
      encoding,
      signature: {
        at: { headerNamedBy: 'header_name' },
        format: { kind: 'bare' as const, prefix: '{config:prefix}' },
      },
      signed: '{body}',
      needs: [
        algorithm === 'sha256' ? 'algorithm?=sha256' : `algorithm=${algorithm}`,
        encoding === 'hex' ? 'encoding?=hex' : `encoding=${encoding}`,
      ],
    })),
  ),
}
