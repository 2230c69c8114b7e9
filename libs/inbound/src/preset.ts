/**
 * What a preset tells of a platform: how it signs its webhooks (`verification-rules.ts`), asks for
 * a handshake (`handshake-rules.ts`), and names its events. Presets are data.
 *
 * A preset states what the platform's documents state, and nothing is guessed: what is in doubt
 * stands in `notes`.
 */
import type { HandshakeRule } from './handshake-rules.ts'
import type { Verification } from './verification-rules.ts'

export interface Preset {
  readonly source: string
  readonly name: string
  readonly description: string
  readonly mode: Mode
  readonly docs: string
  readonly configKeys: readonly ConfigKey[]
  readonly verify: Verification
  readonly handshakes?: readonly HandshakeRule[]
  /**
   * JSONPaths over the body, or `$.headers.<Name>` for a header; the first that finds a text gives
   * the type. `{$.object}.{$.action}` joins several paths, and finds something when each of them
   * does.
   */
  readonly eventType: readonly string[]
  /**
   * Likewise the platform's own id of what happened, which is the same in a repeat; all ids of a
   * batch together. With an empty list the body's hash is the id.
   */
  readonly deliveryId: readonly string[]
  /**
   * Its requests say only what has changed, and are alike for each change: none counts as a repeat.
   */
  readonly neverDeduplicated?: true
  /**
   * Turns the body's value into the document that those paths lead into, for instance by opening an
   * envelope. Endpoints get the body as it came.
   */
  readonly unpack?: (document: unknown) => unknown
  /**
   * What the platform must be answered when its event is accepted. Default: a 202 with the event's
   * id.
   */
  readonly accepted?: AcceptedAnswerRule
  /** What a user must know to set it up, and what it does not protect. */
  readonly notes?: string
}

export interface AcceptedAnswerRule {
  readonly status?: number
  /** The answer's body in place of the event's id. */
  readonly body?: string
  readonly type?: string
  /** A header of the request that the answer must repeat. */
  readonly echo?: string
}

export type Mode =
  | 'hmac'
  | 'hmac_timestamped'
  | 'token'
  | 'provider_specific'
  | 'asymmetric'
  | 'jwt'
  | 'basic_auth'
  | 'none'

export interface ConfigKey {
  readonly name: string
  /** Sealed in the database and masked in answers. */
  readonly secret: boolean
  readonly required: boolean
  readonly meaning: string
  /** The values that it may have. */
  readonly values?: readonly string[]
}
