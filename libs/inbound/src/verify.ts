/** Verifies a request by a rule of any kind, and combines the results of several rules. */
import type { SourceConfig } from '@posthorn/contracts/inbound'
import { verifyAsymmetric } from './asymmetric.ts'
import { verifyBasic, verifyToken } from './credentials.ts'
import { verifyHmac } from './hmac.ts'
import {
  missing,
  rejected,
  type RejectionReason,
  unavailable,
  type VerificationResult,
  verified,
} from './verification-result.ts'
import { verifyJwt } from './jwt.ts'
import type { VerifierTools } from './custom-verifier.ts'
import type { AllOf, AnyOf, Verification } from './verification-rules.ts'
import type { RequestView } from './request-view.ts'

export async function verifyRule(
  rule: Verification,
  view: RequestView,
  tools: VerifierTools,
): Promise<VerificationResult> {
  switch (rule.kind) {
    case 'hmac':
      return await verifyHmac(rule, view)
    case 'token':
      return verifyToken(rule, view)
    case 'basic':
      return verifyBasic(view)
    case 'asymmetric':
      return await verifyAsymmetric(rule, view, tools)
    case 'jwt':
      return await verifyJwt(rule, view, tools)
    case 'any':
    case 'all':
      return await verifySeveral(rule, view, tools)
    case 'custom':
      return await rule.verify(view, tools)
    case 'none':
      return verified()
  }
}

async function verifySeveral(
  { kind, of }: AnyOf | AllOf,
  view: RequestView,
  tools: VerifierTools,
): Promise<VerificationResult> {
  const rules = of.filter((rule) => isConfigured(rule, view))
  if (rules.length === 0) {
    return rejected('wrong_credentials', missing('credentials', 'configured credentials'))
  }
  // The rules run one after the other, so that the event loop turns between the hashes that each of
  // them makes.
  const results: VerificationResult[] = []
  for (const rule of rules) results.push(await verifyRule(rule, view, tools))
  const steps = results.flatMap((result) => result.steps)
  const done = results.filter(({ outcome }) => outcome === 'verified')
  if (kind === 'any' ? done.length > 0 : done.length === rules.length) return verified(...steps)
  // Where a platform sends one of two signatures, the reason is about the one that it sent.
  const failed = results.flatMap((result) => (result.outcome === 'rejected' ? result : []))
  const closest = NEAREST_FIRST.flatMap((one) => failed.filter(({ reason }) => reason === one))[0]
  if (
    closest === undefined ||
    results.some(({ outcome }) => outcome === 'unavailable' && kind === 'any')
  ) {
    return unavailable(...steps)
  }
  return rejected(closest.reason, ...steps)
}

/** Reasons by how far a request came before it failed, the furthest first. */
const NEAREST_FIRST: readonly RejectionReason[] = [
  'too_old',
  'wrong_signature',
  'wrong_credentials',
  'unknown_key',
  'malformed_signature',
  'bad_request',
  'too_deep',
  'too_many_fields',
  'no_signature',
]

function isConfigured(rule: Verification, view: RequestView): boolean {
  return needsOf(rule).every((need) => isMet(need, (name) => view.configured(name)[0]))
}

function needsOf(rule: Verification): readonly string[] {
  return 'needs' in rule ? (rule.needs ?? []) : []
}

const NEED = /^(!?)(\w+)(?:(\??)=(.+))?$/

function isMet(need: string, valueOf: (name: string) => string | undefined): boolean {
  const [, not, name = '', orUnset, wanted] = NEED.exec(need) ?? []
  const value = valueOf(name)
  if (value === undefined) return not === '!' || orUnset === '?'
  return not !== '!' && (wanted === undefined || value === wanted)
}

/**
 * Whether these credentials leave anything to verify by: with none of its alternatives configured,
 * nothing would be accepted.
 */
export function isCheckable(rule: Verification, config: SourceConfig): boolean {
  const valueOf = (name: string) => {
    const value = config[name]
    return typeof value === 'object' ? value[0] : value
  }
  if (!needsOf(rule).every((need) => isMet(need, valueOf))) return false
  return rule.kind === 'any' || rule.kind === 'all'
    ? rule.of.some((one) => isCheckable(one, config))
    : true
}
