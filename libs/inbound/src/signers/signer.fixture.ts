/**
 * The type of an independent signer of a platform, and functions that many signers share. Signers
 * are written from the platforms' own documents and with node:crypto alone: they share nothing with
 * what they prove, so that two readings of the same documents meet in `presets.signed.test.ts`.
 */
import { createHmac } from 'node:crypto'

/** What is to be signed, and what is to be spoiled in it. */
export interface SigningInput {
  readonly body: string
  /** The time that is signed. */
  readonly now: number
  /** The time that is sent: the signed one, unless somebody changed it on the way. */
  readonly shown: number
  readonly secret: string
  /** Changes the signature (or token) before it is put into its place. */
  touch(signature: string): string
}

export interface SignedRequest {
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST'
  readonly url?: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

export interface Handshake {
  readonly of: string
  readonly request: SignedRequest
  readonly config?: Readonly<Record<string, string>>
  /** The handshake is signed like any other request, and answered only then. */
  readonly signed?: true
  readonly answer: {
    readonly status: number
    readonly body?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly confirm?: string
    readonly learned?: Readonly<Record<string, string>>
  }
}

export interface Signer {
  readonly source: string
  readonly variant?: string
  /** Two secrets, or the names of two keys. */
  readonly secrets: readonly [string, string]
  config(secret: string): Record<string, string>
  readonly body: string
  sign(ask: SigningInput): SignedRequest
  readonly covers: {
    /** Whether the body is signed. A text: only this part of it. */
    readonly body: boolean | string
    /** `query`: only its query. A list: only these parameters. */
    readonly url?: true | 'query' | readonly string[]
    readonly timestamp?: true
  }
  /** The headers that prove the sender. None: the proof is in the body or the URL. */
  readonly carriedIn: readonly string[]
  /** null: the platform sets no limit. Undefined: it sends no signed time. */
  readonly toleranceSeconds?: number | null
  /** null: nothing in the request names the type. */
  readonly eventType: string | null
  /** null: the request holds no id that is the same in a repeat and in nothing else. */
  readonly deliveryId: string | null
  /** The secret may be left out: then something else is verified. */
  readonly optional?: true
  /** Config that the request must match: with another value it is refused. */
  readonly pinned?: Readonly<Record<string, string>>
  /** What the platform publishes, by address. It holds the keys 1 and 2, but not key 3. */
  readonly published?: Readonly<Record<string, string>>
  /** Nothing in the request can be checked. */
  readonly unchecked?: true
  readonly handshakes?: readonly Handshake[]
}

/**
 * Nothing in the request tells a repeat from the next event: it must never be taken for a repeat.
 */
export const NEVER = 'never a repeat'

export const SOURCE_URL = 'https://hooks.example.com/inbound/abcdefgh'

export interface SignerEvent {
  readonly source: string
  readonly variant?: string
  readonly body: unknown
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly type?: string
  readonly id?: string
  readonly url?: string
  readonly config?: Readonly<Record<string, string>>
  readonly pinned?: Readonly<Record<string, string>>
  readonly handshakes?: readonly Handshake[]
}

export type Unit = 's' | 'ms' | 'iso' | 'naive' | 'http'

export function timeText(at: number, unit: Unit): string {
  if (unit === 's') return String(Math.floor(at / 1000))
  if (unit === 'ms') return String(at)
  if (unit === 'http') return new Date(at).toUTCString()
  const iso = new Date(at).toISOString()
  return unit === 'iso' ? iso : iso.slice(0, -1)
}

export function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** The fields that all signers of an event have in common. */
export function commonFields(event: SignerEvent) {
  const { source, variant, pinned, handshakes } = event
  return {
    source,
    body: textOf(event.body),
    eventType: event.type ?? null,
    deliveryId: event.id ?? null,
    ...(variant === undefined ? {} : { variant }),
    ...(pinned === undefined ? {} : { pinned }),
    ...(handshakes === undefined ? {} : { handshakes }),
  }
}

export function headersOf(event: SignerEvent): Record<string, string> {
  const isJson = /^\s*[[{]/.test(textOf(event.body))
  const type = event.contentType ?? (isJson ? 'application/json' : FORM)
  return { 'Content-Type': type, ...event.headers }
}

export const FORM = 'application/x-www-form-urlencoded'

export type SecretEncoding = 'utf8' | 'nfkd' | 'hex' | 'base64' | 'whsec'
export type Digest = readonly [algorithm: string, encoding: 'hex' | 'base64' | 'base64url']

/** Secrets as a user would paste them. */
export function secretsOf(source: string, kind: SecretEncoding): readonly [string, string] {
  const bytes = (n: number) => createHmac('sha256', `${source} ${n}`).update('secret').digest()
  const text = (n: number) => {
    if (kind === 'utf8' || kind === 'nfkd') return `sec_${bytes(n).toString('hex').slice(0, 32)}`
    if (kind === 'whsec') return `whsec_${bytes(n).toString('base64')}`
    return bytes(n).toString(kind)
  }
  return [text(1), text(2)]
}

export function keyBytes(secret: string, kind: SecretEncoding): Buffer {
  if (kind === 'whsec') return Buffer.from(secret.slice('whsec_'.length), 'base64')
  if (kind === 'nfkd') return Buffer.from(secret.normalize('NFKD'))
  return Buffer.from(secret, kind)
}

export function hmac(
  key: string | Buffer,
  text: string,
  digest: Digest = ['sha256', 'hex'],
): string {
  return createHmac(digest[0], key).update(text).digest(digest[1])
}

export interface MacEvent extends SignerEvent {
  readonly header: string
  readonly digest?: Digest
  readonly key?: SecretEncoding
  readonly secretIn?: string
  readonly secrets?: readonly [string, string]
  readonly signed?: (body: string, time: string, url: string) => string
  readonly show?: (signature: string, time: string) => string
  readonly time?: {
    readonly unit: Unit
    readonly header?: string
    readonly tolerance: number | null
  }
  readonly coversUrl?: true
}

/** An HMAC in a header, over the body and what the platform puts around it. */
export function mac(event: MacEvent): Signer {
  const { key: kind = 'utf8', secretIn = 'secret', time } = event
  const { signed = (body) => body, show = (signature) => signature } = event
  return {
    ...commonFields(event),
    secrets: event.secrets ?? secretsOf(event.source, kind),
    config: (secret) => ({ ...event.config, [secretIn]: secret }),
    sign({ body, now, shown, secret, touch }) {
      const url = event.url ?? SOURCE_URL
      const [at, sentAt] = [now, shown].map((one) => (time ? timeText(one, time.unit) : ''))
      const signature = hmac(keyBytes(secret, kind), signed(body, at as string, url), event.digest)
      const timeHeader = time?.header === undefined ? {} : { [time.header]: sentAt as string }
      const signatureHeader = { [event.header]: show(touch(signature), sentAt as string) }
      return { url, body, headers: { ...headersOf(event), ...timeHeader, ...signatureHeader } }
    },
    covers: {
      body: true,
      ...(event.coversUrl ? { url: true as const } : {}),
      ...(time ? { timestamp: true as const } : {}),
    },
    carriedIn: [event.header],
    ...(time ? { toleranceSeconds: time.tolerance } : {}),
  }
}

/** Standard Webhooks. The event's id is the message's id unless the body has a better one. */
export function standard(
  event: SignerEvent & { readonly names?: 'webhook' | 'svix'; readonly key?: SecretEncoding },
): Signer {
  const { names = 'webhook', key = 'whsec' } = event
  const messageId = 'msg_2Lh9KRb0pzN4LePd3XiA4v12Axj'
  return mac({
    ...event,
    id: event.id ?? messageId,
    headers: { ...event.headers, [`${names}-id`]: messageId },
    header: `${names}-signature`,
    digest: ['sha256', 'base64'],
    key,
    signed: (body, time) => `${messageId}.${time}.${body}`,
    show: (signature) => `v1,${signature}`,
    time: { unit: 's', header: `${names}-timestamp`, tolerance: 300 },
  })
}

/** A secret in a header, as it is. */
export function token(
  event: SignerEvent & {
    readonly header: string
    readonly scheme?: string
    readonly secretIn?: string
  },
): Signer {
  const { header, scheme = '', secretIn = 'secret' } = event
  return {
    ...commonFields(event),
    secrets: secretsOf(event.source, 'utf8'),
    config: (secret) => ({ ...event.config, [secretIn]: secret }),
    sign: ({ body, secret, touch }) => ({
      url: event.url ?? SOURCE_URL,
      body,
      headers: { ...headersOf(event), [header]: `${scheme}${touch(secret)}` },
    }),
    covers: { body: false },
    carriedIn: [header],
  }
}

/** A secret in a header that the user has named at the platform and here. */
export function namedHeader(event: SignerEvent & { readonly scheme?: string }): Signer {
  const header = 'X-Our-Own-Secret'
  return token({ ...event, header, config: { ...event.config, header_name: header } })
}

/** A secret in the URL that the user has entered at the platform. */
export function urlToken(event: SignerEvent): Signer {
  return {
    ...token({ ...event, header: 'X-None', secretIn: 'url_token' }),
    sign: ({ body, secret, touch }) => ({
      url: `${SOURCE_URL}?token=${touch(secret)}`,
      body,
      headers: headersOf(event),
    }),
    carriedIn: [],
  }
}

export function basic(event: SignerEvent): Signer {
  const config = (secret: string) => ({ ...event.config, username: 'platform', password: secret })
  return {
    ...token({ ...event, header: 'Authorization' }),
    config,
    sign({ body, secret, touch }) {
      const pair = Buffer.from(`platform:${touch(secret)}`).toString('base64')
      return { body, headers: { ...headersOf(event), Authorization: `Basic ${pair}` } }
    },
  }
}

/**
 * A secret in a field of the JSON body.
 *
 * @param event with `at`, the names that lead to the field
 */
export function bodyToken(
  event: SignerEvent & { readonly at: readonly string[]; readonly secretIn?: string },
): Signer {
  return {
    ...token({ ...event, header: 'X-None' }),
    sign: ({ body, secret, touch }) => ({
      body: JSON.stringify(withTextAt(JSON.parse(body), event.at, touch(secret))),
      headers: headersOf(event),
    }),
    ...(event.secretIn === undefined
      ? {}
      : { config: (secret: string) => ({ ...event.config, [event.secretIn as string]: secret }) }),
    carriedIn: [],
  }
}

/** A copy of a value with a text at a place in it. */
export function withTextAt(value: unknown, at: readonly string[], text: unknown): unknown {
  const [name, ...rest] = at
  if (name === undefined) return text
  if (Array.isArray(value)) {
    return value.map((one, index) => (String(index) === name ? withTextAt(one, rest, text) : one))
  }
  const object = (value ?? {}) as Record<string, unknown>
  return { ...object, [name]: withTextAt(object[name], rest, text) }
}
