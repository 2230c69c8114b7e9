/** Verdicts from what was compared. */
import type {
  RejectionReason,
  VerificationResult,
  VerificationStep,
} from './verification-result.ts'

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
