/** The result of verifying a request. The sender learns nothing of it but the status. */

/** Why a verified body makes no event. */
export type PayloadRefusal = 'too_deep' | 'too_many_fields'

/** The values of `lastRejection.reason` and of the metric's label. */
export type RejectionReason =
  | 'no_signature'
  | 'malformed_signature'
  | 'wrong_signature'
  | 'too_old'
  | 'unknown_key'
  | 'wrong_credentials'
  | 'bad_request'
  | PayloadRefusal

/** One comparison. It never holds a secret, nor the signature that would have been right. */
export interface VerificationStep {
  readonly step: string
  readonly expected: string
  readonly found: string
  readonly ok: boolean
}

export type VerificationResult =
  | { readonly outcome: 'verified'; readonly steps: readonly VerificationStep[] }
  | {
      readonly outcome: 'rejected'
      readonly reason: RejectionReason
      readonly steps: readonly VerificationStep[]
    }
  /**
   * The keys that the platform publishes can't be fetched at the moment: the sender is to try
   * again.
   */
  | { readonly outcome: 'unavailable'; readonly steps: readonly VerificationStep[] }

/**
 * The answer to a platform's handshake, in the form that it demands. A handshake makes no event.
 */
export interface HandshakeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /**
   * An address that is fetched through the egress guard before the answer (SNS's confirmation). The
   * preset pins its host.
   */
  readonly confirm?: URL
  /**
   * Credentials to be stored with the endpoint's own (Asana and Notion send the secret with their
   * first request).
   */
  readonly learned?: Readonly<Record<string, string>>
}

export function verified(...steps: VerificationStep[]): VerificationResult {
  return { outcome: 'verified', steps }
}

export function rejected(
  reason: RejectionReason,
  ...steps: VerificationStep[]
): VerificationResult {
  return { outcome: 'rejected', reason, steps }
}

export function unavailable(...steps: VerificationStep[]): VerificationResult {
  return { outcome: 'unavailable', steps }
}

export function step(name: string, expected: string, found: string, ok: boolean): VerificationStep {
  return { step: name, expected, found, ok }
}

/** A missing value, with its place in words for a person. */
export function missing(name: string, where: string): VerificationStep {
  return step(name, where, 'nothing', false)
}
