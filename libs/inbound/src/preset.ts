/**
 * The vocabulary of the presets: what a row says about how a platform signs, asks and names its webhooks. Rows are data;
 * `verify.ts` interprets them. A platform that these words can't describe has a function of its own in `odd/`.
 *
 * A row states what the platform's documents state, and nothing is guessed: what is in doubt stands in `notes`.
 */
import type { HandshakeRule } from './handshake-rules.ts'
import type { CustomVerifier } from './custom-verifier.ts'
import type { RequestView } from './request-view.ts'

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
   * JSONPaths over the body, `$.headers.<Name>` for a header; the first that finds a text names the type. Several in
   * one: `{$.object}.{$.action}`, which finds something when each of them does.
   */
  readonly eventType: readonly string[]
  /**
   * Likewise: the platform's own id of what happened, the same in a repeat; all ids of a batch together. Empty: the
   * body's hash stands for it.
   */
  readonly deliveryId: readonly string[]
  /** Its requests say no more than whose state changed, alike for each change: none is taken for a repeat. */
  readonly neverDeduplicated?: true
  /**
   * Where those paths lead when it is not the body's own value: an envelope opened, or a promise of that. Destinations get
   * it as it came.
   */
  readonly unpack?: (document: unknown) => unknown
  /** What the platform must hear when its event is accepted. Default: a 202 with the event's id. */
  readonly accepted?: AcceptedAnswerRule
  /** What a user must know to set it up, or must not expect. */
  readonly notes?: string
}

export interface AcceptedAnswerRule {
  readonly status?: number
  /** In place of the event's id. */
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
  /** What it must be one of. */
  readonly values?: readonly string[]
}

/** Where a text stands. A header that is sent several times is its first, unless it may be `repeated`. */
export type ValueAt =
  | { readonly header: string; readonly repeated?: true }
  /** The header whose name the user configured, or else this one. */
  | { readonly headerNamedBy: string; readonly or?: string }
  /** `Name-1`, `Name-2`, …: any of them. */
  | { readonly numberedHeader: string }
  | { readonly query: string }
  /** The query parameter whose name the user configured, or else this one. */
  | { readonly queryNamedBy: string; readonly or: string }
  | { readonly form: string }
  /** JSONPath into the body. With several matches every one of them must do. */
  | { readonly json: string }
  /** A member of the body, of the name that the user configured. */
  | { readonly memberNamedBy: string }
  | { readonly config: string }
  | { readonly wholeBody: true }

export type Verification =
  | HmacRule
  | TokenRule
  | BasicRule
  | AsymmetricRule
  | JwtRule
  | AnyOf
  | AllOf
  | CustomRule
  /** Nothing can be checked. */
  | { readonly kind: 'none' }

export interface CustomRule {
  readonly kind: 'custom'
  readonly verify: CustomVerifier
  /** That it reads a signature or a secret from. */
  readonly headers?: readonly string[]
  /** It asks for the body's JSON, which is parsed beforehand then. */
  readonly usesJsonBody?: true
  readonly needs?: readonly string[]
}

/**
 * Alternatives of which one must do, or parts that all must. A rule is left aside while one of its `needs` is not met;
 * when all are left aside, nothing is accepted. A need is a config key's name: `secret`, it is set; `!secret`, it is not;
 * `mode=token`, it is this; `mode?=token`, it is this or not set.
 */
export interface AnyOf {
  readonly kind: 'any'
  readonly of: readonly Verification[]
  readonly needs?: readonly string[]
}
export interface AllOf {
  readonly kind: 'all'
  readonly of: readonly Verification[]
  readonly needs?: readonly string[]
}

export interface HmacRule {
  readonly kind: 'hmac'
  readonly algorithm: HashName
  readonly encoding: Encoding
  readonly signature: SignatureAt
  /** `{body}` and other words of `signed-content.ts`, as in `{t}.{body}`. */
  readonly signed: string
  /** Where words don't do: then `signed` is for people only. */
  readonly content?: ContentOf
  /** Default: the config key `secret`, its UTF-8 bytes. */
  readonly key?: KeyAt
  readonly timestamp?: TimestampAt
  /** A bare hash, not an HMAC: the secret is part of what is hashed, as `{key}`. */
  readonly bareHash?: true
  readonly needs?: readonly string[]
}

/** What may have been signed, each as good as the others; none when nothing that came can have been. In `odd/`. */
export type ContentOf = (view: RequestView, timestamp: string) => readonly (string | Buffer)[]

/** `keccak256` is not SHA-3, which pads otherwise; as a `bareHash` only. */
export type HashName = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512' | 'keccak256'
/** `hex` in either case; base64 with or without its padding. */
export type Encoding = 'hex' | 'base64' | 'base64url'

export interface KeyAt {
  readonly config: string
  /** `whsec`: after `whsec_` (and `v1,`) is dropped, base64. Default: `utf8`. */
  readonly as?: 'utf8' | 'hex' | 'base64' | 'whsec' | 'utf8-nfkd'
  /** Put before it; may hold `{config:name}`. */
  readonly prefix?: string
}

export interface SignatureAt {
  readonly at: ValueAt
  readonly format?: SignatureFormat
}

export type SignatureFormat =
  /** The signature alone, after its prefix, which must be there. The default, without a prefix. */
  | { readonly kind: 'bare'; readonly prefix?: string }
  /** Several, any of which is enough; those without the prefix are left aside. `firstIs: 't'`: the first is a timestamp. */
  | {
      readonly kind: 'list'
      readonly separator: string
      /** May hold `{config:name}`. */
      readonly prefix?: string
      readonly firstIs?: 't'
    }
  /** `t=…,v1=…`: names and values. `sets`: several such sets, each with its own time, between these. */
  | {
      readonly kind: 'fields'
      readonly separator: string
      readonly signature: string
      readonly timestamp?: string
      readonly prefix?: string
      readonly sets?: string
    }

export interface TimestampAt {
  /** `signature`: the `timestamp` field of the signature's own text. */
  readonly at: ValueAt | 'signature'
  /** `iso8601` without a zone is UTC. `auto`: 13 digits are milliseconds. */
  readonly unit: 'seconds' | 'milliseconds' | 'iso8601' | 'http-date' | 'auto'
  /** How old it may be; from the future, a minute at most. null: the platform sets no limit, for its repeats keep the first time. */
  readonly toleranceSeconds: number | null
}

/** A secret sent as it is. Compared in constant time. */
export interface TokenRule {
  readonly kind: 'token'
  readonly at: ValueAt
  /** What stands before it, as in `Bearer `; compared without regard to case. `optional`: may be missing. */
  readonly scheme?: string
  readonly optionalScheme?: true
  readonly config: string
  readonly needs?: readonly string[]
}

export interface BasicRule {
  readonly kind: 'basic'
  readonly needs?: readonly string[]
}

export type SignatureAlgorithm =
  | 'ed25519'
  | 'rsa-sha1'
  | 'rsa-sha256'
  | 'rsa-sha512'
  | 'ecdsa-sha1'
  | 'ecdsa-sha256'

export interface AsymmetricRule {
  readonly kind: 'asymmetric'
  readonly algorithm: SignatureAlgorithm
  readonly encoding: Encoding
  readonly signature: SignatureAt
  readonly signed: string
  readonly content?: ContentOf
  readonly key: PublicKeyAt
  readonly timestamp?: TimestampAt
  readonly needs?: readonly string[]
}

export type PublicKeyAt =
  /** PEM, or base64 of DER (SPKI), or for Ed25519 the 32 bytes in hex or base64: told apart by their look. */
  | { readonly config: string; readonly or?: PublicKeyAt }
  /** Built in, in any of these forms. */
  | { readonly pem: string }
  /** At this JSONPath of what this address answers. */
  | { readonly publishedAt: string; readonly path: string }
  /** By the config key's value, as `sandbox` and `production`. */
  | { readonly pemBy: string; readonly pems: Readonly<Record<string, string>> }
  /** A JSON Web Key Set, whose address may hold `{config:name}`; `kid` names the key, unless a token's header does. */
  | { readonly jwks: string; readonly kid?: ValueAt }
  /** One PEM (key or certificate) at an address that the request names: only on these hosts, below this path. */
  | {
      readonly urlAt: ValueAt
      readonly hosts: RegExp
      readonly path: RegExp
      /** Put before what the request says, when that is a path only. */
      readonly base?: string
    }

export interface SharedKeyAt {
  readonly config: string
  readonly as: NonNullable<KeyAt['as']>
}

export interface JwtRule {
  readonly kind: 'jwt'
  readonly at: ValueAt
  /** `Bearer `, `JWT `. */
  readonly scheme?: string
  readonly optionalScheme?: true
  /** What the header may name; everything else, `none` first of all, is refused. */
  readonly algorithms: readonly string[]
  /** A shared secret is written with its `as`, which tells it from a public key. */
  readonly key: SharedKeyAt | PublicKeyAt
  /** May hold `{config:name}`. */
  readonly issuer?: string | readonly string[] | { readonly config: string }
  /** A config key that is not set leaves it unchecked, unless it says what else. */
  readonly audience?: { readonly config: string; readonly or?: 'webhook-url' } | 'webhook-url'
  readonly claims?: readonly ClaimRule[]
  /** From `iat`, for tokens without a short `exp`. */
  readonly maxAgeSeconds?: number
  /** The token is the whole body: these claims are the event, or the one named here, which may be JSON in a text. */
  readonly event?: { readonly claim?: string }
  readonly needs?: readonly string[]
}

/** A claim that binds the token to the request. */
export interface ClaimRule {
  readonly claim: string
  readonly is:
    | { readonly hashOf: string; readonly algorithm: 'sha256'; readonly encoding: 'hex' | 'base64' }
    /** What is signed, in its words. A claim that is true or false is so in words. */
    | { readonly text: string }
  /** May be missing when the body is empty. */
  readonly absentWhenEmpty?: true
  /** Looked at when these config keys are set. */
  readonly needs?: readonly string[]
}
