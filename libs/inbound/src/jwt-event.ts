/** Requests whose body is a token: what it says is the event. Nothing is verified here; that was done before. */
import { decodeJwt } from 'jose'
import type { JwtRule, Verification } from './preset.ts'
import { tokenIn } from './jwt.ts'

/** @returns JSON; null when this body is no token, or the preset has none in its body */
export function claimsIn(body: string, verification: Verification): string | null {
  for (const rule of bodyTokens(verification)) {
    const token = tokenIn(body, rule)
    const claims = token === null ? null : decoded(token)
    if (claims === null) continue
    const name = rule.event?.claim
    if (name === undefined) return JSON.stringify(claims)
    const claim = claims[name]
    return typeof claim === 'string' && isJson(claim) ? claim : JSON.stringify(claim ?? null)
  }
  return null
}

function bodyTokens(rule: Verification): JwtRule[] {
  if (rule.kind === 'any' || rule.kind === 'all') return rule.of.flatMap(bodyTokens)
  return rule.kind === 'jwt' && rule.event !== undefined ? [rule] : []
}

function decoded(token: string): Record<string, unknown> | null {
  try {
    return decodeJwt(token)
  } catch {
    return null
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
