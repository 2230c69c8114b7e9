/** Verdicts from what was compared. */
import type { RejectionReason, Verdict, VerificationStep } from './verdict.ts'

export function verified(...steps: VerificationStep[]): Verdict {
  return { outcome: 'verified', steps }
}

export function rejected(reason: RejectionReason, ...steps: VerificationStep[]): Verdict {
  return { outcome: 'rejected', reason, steps }
}

export function unavailable(...steps: VerificationStep[]): Verdict {
  return { outcome: 'unavailable', steps }
}

export function step(name: string, expected: string, found: string, ok: boolean): VerificationStep {
  return { step: name, expected, found, ok }
}

/** A place where something should be, in words for a person. */
export function missing(name: string, where: string): VerificationStep {
  return step(name, where, 'nothing', false)
}
