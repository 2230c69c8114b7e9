/** What a credential that lets somebody in is known by, before it is known where they act. */
import type { Caller, SessionCaller } from './handlers.ts'

/** A credential that is in force. */
export interface Authenticated {
  /** null: a session, which has no limit of its own. */
  keyId: string | null
  /** The key's own limit, in requests a second; null: none. */
  rateLimit: number | null
  /** The person must set up a second factor before anything else. */
  mustEnrol: boolean
  /** Set where the session's end has moved: the cookie's has to move with it. */
  extendedUntil: number | null
  /**
   * Who calls, in the project that the request names. It may ask the store for a project that was
   * just made, so it is called only once the key's rate allows the request.
   */
  caller(): Caller | SessionCaller | Promise<Caller | SessionCaller>
}
