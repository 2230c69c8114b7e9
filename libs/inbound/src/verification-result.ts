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
