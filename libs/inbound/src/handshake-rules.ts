/**
 * How platforms ask whether we are there, and what they want to hear: an echo, a hash of what they sent, or only a 200.
 * A handshake makes no event. Rules are data; the odd ones have a function.
 */
import type { ValueAt } from './preset.ts'
import type { RequestView } from './request-view.ts'
import type { HandshakeAnswer } from './verification-result.ts'

export type HandshakeRule = {
  /** All must fit for the rule to answer. */
  readonly when: HandshakeCondition
  /** Answered only to what is signed like any other request. */
  readonly signed?: true
} & (
  | { readonly echo: ValueAt; readonly as: EchoFormat }
  | { readonly answer: { readonly status: number; readonly body?: string; readonly type?: string } }
  | { readonly custom: (view: RequestView) => HandshakeAnswer | null }
)

export interface HandshakeCondition {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS'
  /** There must be something here. */
  readonly has?: readonly ValueAt[]
  readonly hasNot?: readonly ValueAt[]
  readonly equals?: readonly { readonly at: ValueAt; readonly text: string }[]
  /** What is here must be a config key's value; else 403. `whenSet`: only when the user has set it. */
  readonly proof?: { readonly at: ValueAt; readonly config: string; readonly whenSet?: true }
  readonly emptyBody?: true
}

export type EchoFormat =
  | { readonly text: true }
  /** `{"name": value}`. */
  | { readonly json: string }
  | { readonly header: string }
  | HashEcho

/** `{"name": HMAC-SHA256 of the value}`. Whoever asks gets a signature, so the value must be of an innocent alphabet. */
export interface HashEcho {
  readonly hash: string
  readonly key: string
  readonly encoding: 'hex' | 'base64'
  readonly prefix?: string
  /** The value itself, beside it. */
  readonly beside?: string
  /** Nothing that could be taken for what is signed otherwise. */
  readonly alphabet: RegExp
}
