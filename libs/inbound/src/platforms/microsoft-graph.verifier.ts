/**
 * Microsoft Graph repeats the subscription's clientState in each notification. Notifications with
 * the resource's data also carry tokens of Microsoft's, which are verified when the app's id is
 * configured.
 */
import {
  rejected,
  step,
  type VerificationResult,
  type VerificationStep,
  verified,
} from '../verification-result.ts'
import { verifyJwt } from '../jwt.ts'
import type { VerifierTools } from '../custom-verifier.ts'
import type { JwtRule } from '../verification-rules.ts'
import type { RequestView } from '../request-view.ts'
import { sameText } from '../secrets.ts'

/** The id of the app of Microsoft's that publishes change notifications. */
const PUBLISHER = '0bf30f3b-4a52-48df-9a82-234910c4a086'
/** A batch has one token for each of its tenants and apps. */
const MAX_TOKENS = 20

interface Notification {
  readonly clientState?: unknown
  readonly encryptedContent?: unknown
}

export async function verifyMicrosoftGraph(
  view: RequestView,
  tools: VerifierTools,
): Promise<VerificationResult> {
  const body = (view.json() ?? {}) as { value?: unknown; validationTokens?: unknown }
  const notifications = Array.isArray(body.value) ? (body.value as (Notification | null)[]) : []
  const states = notifications.map((one) => one?.clientState)
  if (states.length === 0 || !states.every((one) => typeof one === 'string')) {
    const wanted = 'clientState in each of $.value'
    return rejected('no_signature', step('clientState', wanted, 'not in each', false))
  }
  // A batch may be long, and nearly always repeats one state: each different one is compared once.
  const ok = [...new Set(states)].every((one) =>
    view
      .configured('secret')
      .map((secret) => sameText(one, secret))
      .includes(true),
  )
  const compared = step('clientState', 'equal to secret', ok ? 'equal' : 'other', ok)
  if (!ok) return rejected('wrong_credentials', compared)
  if (view.configured('client_id').length === 0) return verified(compared)
  const tokens = Array.isArray(body.validationTokens) ? body.validationTokens.length : 0
  const isRich = notifications.some((one) => one?.encryptedContent !== undefined)
  return await verifyTokens(tokens, isRich, compared, view, tools)
}

async function verifyTokens(
  count: number,
  isRich: boolean,
  compared: VerificationStep,
  view: RequestView,
  tools: VerifierTools,
): Promise<VerificationResult> {
  const wanted = `1 to ${MAX_TOKENS} of $.validationTokens`
  if (count > MAX_TOKENS || (isRich && count === 0)) {
    return rejected('no_signature', compared, step('tokens', wanted, String(count), false))
  }
  for (let index = 0; index < count; index++) {
    const result = await verifyToken(index, view, tools)
    if (result.outcome !== 'verified') return result
  }
  return verified(compared, step('tokens', 'of Microsoft’s, each of them', String(count), true))
}

/** Tokens of version 1 and of version 2 name their issuer and their sender differently. */
async function verifyToken(
  index: number,
  view: RequestView,
  tools: VerifierTools,
): Promise<VerificationResult> {
  const versions = [
    ['https://sts.windows.net/{config:tenant_id}/', 'appid'],
    ['https://login.microsoftonline.com/{config:tenant_id}/v2.0', 'azp'],
  ] as const
  const isTenantKnown = view.configured('tenant_id').length > 0
  const results = versions.map(([issuer, claim]) => {
    const rule: JwtRule = {
      kind: 'jwt',
      at: { json: `$.validationTokens[${index}]` },
      algorithms: ['RS256'],
      key: { jwks: 'https://login.microsoftonline.com/common/discovery/v2.0/keys' },
      audience: { config: 'client_id' },
      claims: [{ claim, is: { text: PUBLISHER } }],
      ...(isTenantKnown ? { issuer } : {}),
    }
    return verifyJwt(rule, view, tools)
  })
  const [first, second] = await Promise.all(results)
  return second?.outcome === 'verified' ? second : (first as VerificationResult)
}
