/**
 * The tokens of sub-accounts' sessions: JWTs, HS256 and nothing else. One of the audience
 * `exchange` stands in the link to the portal, one of the audience `session` in its cookie.
 *
 * A token only names a session and proves that we made it: whether the session is in force, the
 * registry tells. Nothing is looked up for a token that does not verify.
 */
import { createSecretKey, type KeyObject } from 'node:crypto'
import { PORTAL_CAPABILITIES } from '@posthorn/domain/portal-capabilities'
import jwt from 'jsonwebtoken'
import { z } from 'zod'

const ALGORITHM = 'HS256'
export type PortalAudience = 'exchange' | 'session'

const Claims = z.object({
  /** The session. */
  jti: z.uuid(),
  /** The sub-account. */
  sub: z.uuid(),
  /** The workspace that it belongs to. */
  cid: z.uuid(),
  scp: z.array(z.enum(PORTAL_CAPABILITIES)).min(1).max(PORTAL_CAPABILITIES.length),
  aud: z.enum(['exchange', 'session']),
  /** Seconds since 1970. */
  iat: z.number(),
  exp: z.number(),
})
export type PortalClaims = z.infer<typeof Claims>

export interface PortalTokens {
  sign(claims: PortalClaims): string
  /**
   * The claims of a token that is ours and for this audience, also when its time is over: `isOver`
   * then says so. null: it is none of ours, or has no end.
   */
  verify(token: string, audience: PortalAudience): (PortalClaims & { isOver: boolean }) | null
}

/** Ours have some 500; a longer one is not worth the work. */
const MAX_CHARACTERS = 2_048

/** @param keys the first one signs, each verifies. @param now epoch ms */
export function createPortalTokens(keys: readonly Buffer[], now: () => number): PortalTokens {
  const secrets = keys.map((key) => createSecretKey(key))
  const [first] = secrets
  if (first === undefined) throw new Error('there is no key for the sessions of sub-accounts')
  return {
    sign: (claims) => jwt.sign(claims, first, { algorithm: ALGORITHM }),
    verify(token, audience) {
      if (token.length > MAX_CHARACTERS) return null
      for (const secret of secrets) {
        const claims = open(token, secret, audience)
        if (claims !== null) return { ...claims, isOver: claims.exp * 1_000 <= now() }
      }
      return null
    },
  }
}

function open(token: string, secret: KeyObject, audience: PortalAudience): PortalClaims | null {
  try {
    const { header, payload } = jwt.verify(token, secret, {
      algorithms: [ALGORITHM],
      audience,
      complete: true,
      // A late session is told where it returns to, so its end is looked at above.
      ignoreExpiration: true,
    })
    // The library passes over what a header says must be understood.
    if ('crit' in header) return null
    return Claims.safeParse(payload).data ?? null
  } catch {
    return null
  }
}
