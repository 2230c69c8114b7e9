/** Secrets that are sent as they are: a token, or a user's name and password. */
import {
  missing,
  rejected,
  step,
  type VerificationResult,
  verified,
} from './verification-result.ts'
import { describePlace } from './places.ts'
import type { TokenRule } from './verification-rules.ts'
import type { RequestView } from './request-view.ts'
import { sameText } from './secrets.ts'

export function verifyToken(rule: TokenRule, view: RequestView): VerificationResult {
  const where = describePlace(rule.at)
  const found = view.values(rule.at)
  if (found.length === 0) return rejected('no_signature', missing('token', where))
  // The tokens of a batch are equal, and each different one is compared once.
  const tokens = [...new Set(found)].map((text) => withoutScheme(text, rule))
  if (tokens.some((forms) => forms.length === 0)) {
    return rejected(
      'malformed_signature',
      step('token', `${rule.scheme}…`, 'something else', false),
    )
  }
  const allowed = view.configured(rule.config).flatMap((one) => [one, asInHeader(one)])
  // Every token must be right: a batch is no more trustworthy than its worst element.
  const ok = tokens.every((forms) =>
    forms.flatMap((form) => allowed.map((one) => sameText(form, one))).includes(true),
  )
  const compared = step('token', `${where} equal to ${rule.config}`, ok ? 'equal' : 'other', ok)
  return ok ? verified(compared) : rejected('wrong_credentials', compared)
}

/** A header's bytes are read as Latin-1, so a secret's UTF-8 bytes come as these characters. */
function asInHeader(secret: string): string {
  return Buffer.from(secret, 'utf8').toString('latin1')
}

/**
 * Where the scheme is optional, a user may have configured the whole value of the header, with its
 * scheme.
 */
function withoutScheme(text: string, { scheme, optionalScheme }: TokenRule): string[] {
  if (scheme === undefined) return [text]
  const has = text.toLowerCase().startsWith(scheme.toLowerCase())
  const bare = has ? [text.slice(scheme.length).trim()] : []
  return optionalScheme ? [...bare, text] : bare
}

export function verifyBasic(view: RequestView): VerificationResult {
  const header = view.header('authorization')
  if (header === undefined)
    return rejected('no_signature', missing('Basic', 'header Authorization'))
  const encoded = /^basic\s+([A-Za-z0-9+/]+={0,2})$/i.exec(header.trim())?.[1]
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 0) {
    const found = step('Basic', 'Basic base64(username:password)', 'something else', false)
    return rejected('malformed_signature', found)
  }
  const names = view.configured('username')
  const passwords = view.configured('password')
  const sameName = names.map((one) => sameText(pair.slice(0, colon), one)).includes(true)
  const samePassword = passwords.map((one) => sameText(pair.slice(colon + 1), one)).includes(true)
  const ok = sameName && samePassword
  const compared = step('Basic', 'username and password as configured', ok ? 'equal' : 'other', ok)
  return ok ? verified(compared) : rejected('wrong_credentials', compared)
}
