/** How a request to a receiver was judged. The sender learns nothing of it but the status. */

import type { PayloadRefusal } from './payload.ts'

/** The words of `lastRejection.reason` and of the metric's label. */
export type RejectionReason =
  | 'no_signature'
  | 'malformed_signature'
  | 'wrong_signature'
  | 'too_old'
  | 'unknown_key'
  | 'wrong_credentials'
  | 'bad_request'
  | PayloadRefusal

/** One thing that was compared. Never holds a right signature, nor a secret. */
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
  /** A platform's published keys can't be had at the moment: the sender is to come again. */
  | { readonly outcome: 'unavailable'; readonly steps: readonly VerificationStep[] }

/** A platform's question whether we are there: answered as it demands, and no event. */
export interface HandshakeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Fetched through the egress guard before the answer: SNS's confirmation. Its host is one of the preset's. */
  readonly confirm?: URL
  /** To be kept with the receiver's credentials (Asana, Notion: the secret comes with the first request). */
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

/** A place where something should be, in words for a person. */
export function missing(name: string, where: string): VerificationStep {
  return step(name, where, 'nothing', false)
}
