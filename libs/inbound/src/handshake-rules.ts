/**
 * How platforms ask whether an address is ready to receive, and what they want to be answered: an
 * echo, a hash of what they sent, or only a 200. A handshake makes no event. Rules are data; a
 * platform that needs more has a function.
 */
import type { ValueAt } from './value-at.ts'
import type { RequestView } from './request-view.ts'
import type { HandshakeAnswer } from './verification-result.ts'

export type HandshakeRule = {
  /** All conditions must be met for the rule to answer. */
  readonly when: HandshakeCondition
  /** Answered only when the request is signed like any other. */
  readonly signed?: true
} & (
  | { readonly echo: ValueAt; readonly as: EchoFormat }
  | { readonly answer: { readonly status: number; readonly body?: string; readonly type?: string } }
  | { readonly custom: (view: RequestView) => HandshakeAnswer | null }
)

export interface HandshakeCondition {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS'
  /** Places that must hold a value. */
  readonly has?: readonly ValueAt[]
  readonly hasNot?: readonly ValueAt[]
  readonly equals?: readonly { readonly at: ValueAt; readonly text: string }[]
  /**
   * The value at this place must equal a config key's; otherwise the answer is a 403. `whenSet`:
   * only when the user has configured that key.
   */
  readonly proof?: { readonly at: ValueAt; readonly config: string; readonly whenSet?: true }
  readonly emptyBody?: true
}

export type EchoFormat =
  | { readonly text: true }
  /** `{"name": value}`. */
  | { readonly json: string }
  | { readonly header: string }
  | HashEcho

/**
 * `{"name": HMAC-SHA256 of the value}`. Whoever asks gets a signature, so the value must be of an
 * alphabet in which no event can be written.
 */
export interface HashEcho {
  readonly hash: string
  readonly key: string
  readonly encoding: 'hex' | 'base64'
  readonly prefix?: string
  /** The name under which the value itself stands beside its hash. */
  readonly beside?: string
  /** The characters of the value: nothing that a platform could have signed otherwise. */
  readonly alphabet: RegExp
}
