/** A platform that the vocabulary can't describe: its own function in `odd/`, with the tools that the others use. */
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
