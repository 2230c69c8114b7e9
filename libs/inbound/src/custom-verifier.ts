/**
 * The verifier of a platform that the vocabulary of `verification-rules.ts` can't describe: a
 * function of its own, with the tools that the other verifiers have.
 */
import type { FetchedKeys } from './fetched-keys.ts'
import type { RequestView } from './request-view.ts'
import type { VerificationResult } from './verification-result.ts'

export interface VerifierTools {
  keys: FetchedKeys
  now(): number
}

export type CustomVerifier = (
  view: RequestView,
  tools: VerifierTools,
) => VerificationResult | Promise<VerificationResult>
