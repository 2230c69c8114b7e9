/** Signers of platforms that send a JSON Web Token (or a JWS), as their documents say. */
import { createHash } from 'node:crypto'
import { type KeyKind, keyToken, macToken, namesOf } from './keys.fixture.ts'
import {
  commonFields,
  headersOf,
  secretsOf,
  type Signer,
  type SignerEvent,
  type SigningInput,
  SOURCE_URL,
} from './signer.fixture.ts'

export const sha256 = (text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(text).digest(encoding)

export const seconds = (at: number) => Math.floor(at / 1000)

export interface TokenEvent extends SignerEvent {
  readonly header?: string
  readonly scheme?: string
  readonly claims: (ask: SigningInput) => Record<string, unknown>
  /** The kind of key: an HMAC's secret, or a private key. */
  readonly key: 'secret' | KeyKind
  readonly alg?: string
  readonly keyConfig: (secret: string) => Record<string, string>
  readonly covers: Signer['covers']
  readonly tolerance?: number | null
  readonly published?: Readonly<Record<string, string>>
  /** The token is the whole body. */
  readonly whole?: true
}

export function jwt(event: TokenEvent): Signer {
  const { key, alg, header = 'Authorization', scheme = '', tolerance, published } = event
  return {
    ...commonFields(event),
    secrets: key === 'secret' ? secretsOf(event.source, 'utf8') : namesOf(key),
    config: (secret) => ({ ...event.config, ...event.keyConfig(secret) }),
    sign(ask) {
      const claims = event.claims(ask)
      const token =
        key === 'secret'
          ? macToken(claims, ask.secret, ask.touch, alg)
          : keyToken(claims, ask.secret, ask.touch, alg)
      const url = event.url ?? SOURCE_URL
      if (event.whole) return { url, headers: { 'Content-Type': 'text/plain' }, body: token }
      return {
        url,
        headers: { ...headersOf(event), [header]: `${scheme}${token}` },
        body: ask.body,
      }
    },
    covers: event.covers,
    carriedIn: event.whole ? [] : [header],
    ...(tolerance === undefined ? {} : { toleranceSeconds: tolerance }),
    ...(published === undefined ? {} : { published }),
  }
}
