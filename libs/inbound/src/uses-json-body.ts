/**
 * Whether a rule reads the body's JSON. If it does not, the body is not parsed before the request
 * is verified.
 */
import type { ValueAt } from './value-at.ts'
import type { PublicKeyAt, SharedKeyAt, Verification } from './verification-rules.ts'

export function usesJsonBody(rule: Verification): boolean {
  switch (rule.kind) {
    case 'any':
    case 'all':
      return rule.of.some(usesJsonBody)
    case 'hmac':
    case 'asymmetric': {
      const { signature, timestamp, signed, content } = rule
      const isTimed = timestamp !== undefined && timestamp.at !== 'signature'
      return (
        isInJson(signature.at) ||
        (isTimed && isInJson(timestamp.at as ValueAt)) ||
        (content === undefined && namesJson(signed)) ||
        (rule.kind === 'asymmetric' && isKeyInJson(rule.key))
      )
    }
    case 'token':
      return isInJson(rule.at)
    case 'jwt': {
      const claims = rule.claims ?? []
      const texts = claims.map(({ is }) => ('text' in is ? is.text : is.hashOf))
      return isInJson(rule.at) || isKeyInJson(rule.key) || texts.some(namesJson)
    }
    case 'custom':
      return rule.usesJsonBody === true
    case 'basic':
    case 'none':
      return false
  }
}

function isInJson(at: ValueAt): boolean {
  return 'json' in at || 'memberNamedBy' in at
}

function isKeyInJson(key: PublicKeyAt | SharedKeyAt): boolean {
  if ('jwks' in key) return key.kid !== undefined && isInJson(key.kid)
  return 'urlAt' in key && isInJson(key.urlAt)
}

function namesJson(template: string): boolean {
  return template.includes('{json:')
}
