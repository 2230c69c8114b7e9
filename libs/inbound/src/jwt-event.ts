/**
 * The event of a request whose body is a token: its claims. Nothing is verified here; that has been
 * done before.
 */
import type { JwtRule, Verification } from './verification-rules.ts'
import { claimsTextOf, tokenIn } from './jwt.ts'
import { readJson } from './read-json.ts'

/** @returns JSON; null when this body is no token, or the preset expects none in the body */
export async function claimsIn(body: string, verification: Verification): Promise<string | null> {
  for (const rule of bodyTokens(verification)) {
    const token = tokenIn(body, rule)
    const text = token === null ? null : claimsTextOf(token)
    const read = text === null ? null : await readJson(text)
    if (text === null || read?.outcome !== 'ok' || !isObject(read.value)) continue
    const name = rule.event?.claim
    if (name === undefined) return text
    const claim = read.value[name]
    return typeof claim === 'string' && (await isJson(claim))
      ? claim
      : JSON.stringify(claim ?? null)
  }
  return null
}

function bodyTokens(rule: Verification): JwtRule[] {
  if (rule.kind === 'any' || rule.kind === 'all') return rule.of.flatMap(bodyTokens)
  return rule.kind === 'jwt' && rule.event !== undefined ? [rule] : []
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON that is nested too deep passes here, and is refused where it is read next. */
async function isJson(text: string): Promise<boolean> {
  return (await readJson(text)).outcome !== 'no_json'
}
