/**
 * The vocabulary in which presets tell how a request is verified. The rules are data, which
 * `verify.ts` interprets. A platform that these words can't describe has a verifier of its own
 * beside its preset.
 */
import type { CustomVerifier } from './custom-verifier.ts'
import type { RequestView } from './request-view.ts'
import type { ValueAt } from './value-at.ts'

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
  /** The headers that it reads a signature or a secret from. */
  readonly headers?: readonly string[]
  /** It reads the body's JSON, which is then parsed beforehand. */
  readonly usesJsonBody?: true
  readonly needs?: readonly string[]
}

/**
 * Alternatives of which one must verify, or parts of which all must. A rule is left out while one
 * of its `needs` is not met; when all are left out, nothing is accepted. A need is a config key's
 * name: `secret`, it is set; `!secret`, it is not set; `mode=token`, it has this value;
 * `mode?=token`, it has this value or is not set.
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
  /** Makes the signed content where a template can't: `signed` is then only for people. */
  readonly content?: ContentOf
  /** Default: the config key `secret`, its UTF-8 bytes. */
  readonly key?: KeyAt
  readonly timestamp?: TimestampAt
  /** A plain hash in place of an HMAC: the secret is part of the hashed text, as `{key}`. */
  readonly bareHash?: true
  readonly needs?: readonly string[]
}

/**
 * The contents that may have been signed, of which one is enough; none when the request can't have
 * been signed.
 */
export type ContentOf = (
  view: RequestView,
  timestamp: string,
) => readonly (string | Buffer)[] | Promise<readonly (string | Buffer)[]>

/** `keccak256` is not SHA-3, whose padding differs; it is used as a `bareHash` only. */
export type HashName = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512' | 'keccak256'
/** `hex` in either case; base64 with or without padding. */
export type Encoding = 'hex' | 'base64' | 'base64url'

export interface KeyAt {
  readonly config: string
  /** `whsec`: base64, after `whsec_` (and `v1,`). Default: `utf8`. */
  readonly as?: 'utf8' | 'hex' | 'base64' | 'whsec' | 'utf8-nfkd'
  /** A text before the key; may hold `{config:name}`. */
  readonly prefix?: string
}

export interface SignatureAt {
  readonly at: ValueAt
  readonly format?: SignatureFormat
}

export type SignatureFormat =
  /**
   * The signature alone, after its prefix, which must be there. This is the default, without a
   * prefix.
   */
  | { readonly kind: 'bare'; readonly prefix?: string }
  /**
   * Several signatures, any of which is enough; those without the prefix are ignored. `firstIs:
   * 't'`: the first entry is a timestamp.
   */
  | {
      readonly kind: 'list'
      readonly separator: string
      /** May hold `{config:name}`. */
      readonly prefix?: string
      readonly firstIs?: 't'
    }
  /**
   * Names and values, as in `t=…,v1=…`. `sets`: the text between several such sets, each of which
   * has a time of its own.
   */
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
  /** `iso8601` without a zone is UTC; with `auto`, 13 digits are milliseconds. */
  readonly unit: 'seconds' | 'milliseconds' | 'iso8601' | 'http-date' | 'auto'
  /**
   * The highest age; a time may be at most a minute in the future. null: the platform sets no
   * limit, for its repeats keep the first time.
   */
  readonly toleranceSeconds: number | null
}

/** A secret that is sent as it is. It is compared in constant time. */
export interface TokenRule {
  readonly kind: 'token'
  readonly at: ValueAt
  /**
   * The text before the secret, as in `Bearer `, compared without regard to case. `optionalScheme`:
   * it may be missing.
   */
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
  /**
   * PEM, base64 of DER (SPKI), or for Ed25519 its 32 bytes in hex or base64: they are told apart by
   * their look.
   */
  | { readonly config: string; readonly or?: PublicKeyAt }
  /** A key that is built in, in any of these forms. */
  | { readonly pem: string }
  /** The key at this JSONPath of what this address answers. */
  | { readonly publishedAt: string; readonly path: string }
  /** A key by the value of a config key, as `sandbox` and `production`. */
  | { readonly pemBy: string; readonly pems: Readonly<Record<string, string>> }
  /**
   * A JSON Web Key Set, whose address may hold `{config:name}`; `kid` names the key, unless a
   * token's header does.
   */
  | { readonly jwks: string; readonly kid?: ValueAt }
  /**
   * A PEM (key or certificate) at an address that the request names: only on these hosts and below
   * this path.
   */
  | {
      readonly urlAt: ValueAt
      readonly hosts: RegExp
      readonly path: RegExp
      /** The beginning of the address, where the request names a path only. */
      readonly base?: string
    }

export interface SharedKeyAt {
  readonly config: string
  readonly as: NonNullable<KeyAt['as']>
}

export interface JwtRule {
  readonly kind: 'jwt'
  readonly at: ValueAt
  /** The text before the token, as in `Bearer ` or `JWT `. */
  readonly scheme?: string
  readonly optionalScheme?: true
  /**
   * The algorithms that the token's header may name; all others, `none` first of all, are refused.
   */
  readonly algorithms: readonly string[]
  /** A shared secret has an `as`, which tells it from a public key. */
  readonly key: SharedKeyAt | PublicKeyAt
  /** May hold `{config:name}`. */
  readonly issuer?: string | readonly string[] | { readonly config: string }
  /** Not checked while its config key is not set, unless `or` says what else it must be. */
  readonly audience?: { readonly config: string; readonly or?: 'webhook-url' } | 'webhook-url'
  readonly claims?: readonly ClaimRule[]
  /** The highest age since `iat`, for tokens without a short `exp`. */
  readonly maxAgeSeconds?: number
  /**
   * The token is the whole body: the event is its claims, or the one claim that is named here,
   * which may be JSON in a text.
   */
  readonly event?: { readonly claim?: string }
  readonly needs?: readonly string[]
}

/** A claim that binds the token to the request. */
export interface ClaimRule {
  readonly claim: string
  readonly is:
    | { readonly hashOf: string; readonly algorithm: 'sha256'; readonly encoding: 'hex' | 'base64' }
    /** A template as in `signed`. A claim that is true or false is compared as that word. */
    | { readonly text: string }
  /** The claim may be missing when the body is empty. */
  readonly absentWhenEmpty?: true
  /** Checked only when these config keys are set. */
  readonly needs?: readonly string[]
}
