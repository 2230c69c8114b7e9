/**
 * Credentials that the user sets at a platform which signs nothing: a header of any name, or a name
 * and a password.
 */
import type { AnyOf, BasicRule, TokenRule } from '../verification-rules.ts'

export const BASIC: BasicRule = { kind: 'basic', needs: ['username', 'password'] }

/** @param or the header that holds the secret when the user names none */
export function namedHeader(or = 'Authorization'): TokenRule {
  return {
    kind: 'token',
    at: { headerNamedBy: 'header_name', or },
    config: 'secret',
    needs: ['secret'],
  }
}

export function headerOrBasic(): AnyOf {
  return { kind: 'any', of: [namedHeader(), BASIC] }
}
