/** Signers of platforms that sign with a private key, as their documents say. */
import { idOf, type KeyKind, namesOf, pem, signature } from './keys.fixture.ts'
import {
  commonFields,
  type SignerEvent,
  headersOf,
  SOURCE_URL,
  type Signer,
  timeText,
  type Unit,
} from './signer.fixture.ts'

export interface KeyEvent extends SignerEvent {
  readonly kind: KeyKind
  readonly hash: string | null
  readonly encoding?: 'hex' | 'base64'
  readonly header: string
  readonly signed?: (body: string, time: string) => string
  readonly time?: {
    readonly unit: Unit
    readonly header: string
    readonly tolerance: number | null
  }
  /** A key as the user pastes it. */
  readonly shown?: (name: string) => string
  readonly keyIn?: string
  /** A published key: what names it in the request, and where it stands. */
  readonly keyAt?: {
    readonly header: string
    readonly text: (key: string) => string
    readonly url: (key: string) => string
    readonly document?: (name: string) => string
  }
}

export function asymmetric(event: KeyEvent): Signer {
  const { kind, hash, encoding = 'base64', time, keyAt, keyIn = 'public_key' } = event
  const { signed = (body) => body, shown: pasted = pem } = event
  const names = namesOf(kind)
  return {
    ...commonFields(event),
    secrets: names,
    config: (name) => ({
      ...event.config,
      ...event.pinned,
      ...(keyAt ? {} : { [keyIn]: pasted(name) }),
    }),
    sign({ body, now, shown, secret: name, touch }) {
      const [at, sentAt] = [now, shown].map((one) => (time ? timeText(one, time.unit) : ''))
      const bytes = signature(hash, signed(body, at as string), name)
      const headers = {
        ...headersOf(event),
        ...(time ? { [time.header]: sentAt as string } : {}),
        ...(keyAt ? { [keyAt.header]: keyAt.text(idOf(name)) } : {}),
        [event.header]: touch(bytes.toString(encoding)),
      }
      return { url: event.url ?? SOURCE_URL, body, headers }
    },
    covers: { body: true, ...(time ? { timestamp: true as const } : {}) },
    carriedIn: [event.header],
    ...(time ? { toleranceSeconds: time.tolerance } : {}),
    ...(keyAt
      ? {
          published: Object.fromEntries(
            names.map((one) => [keyAt.url(idOf(one)), (keyAt.document ?? pem)(one)]),
          ),
        }
      : {}),
  }
}
