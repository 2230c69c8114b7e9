/** Signers of platforms that hash the secret with what they send. */
import { createHash } from 'node:crypto'
import {
  commonFields,
  headersOf,
  secretsOf,
  type Signer,
  type SignerEvent,
  timeText,
  type Unit,
} from './signer.fixture.ts'

export interface HashEvent extends SignerEvent {
  readonly header: string
  readonly hash: (text: string) => string
  readonly text: (body: string, secret: string, time: string) => string
  readonly time?: {
    readonly unit: Unit
    readonly header: string
    readonly tolerance: number | null
  }
  readonly show?: (signature: string) => string
  readonly coversUrl?: true
}

export function hashed(event: HashEvent): Signer {
  const { time, show = (signature) => signature } = event
  return {
    ...commonFields(event),
    secrets: secretsOf(event.source, 'utf8'),
    config: (secret) => ({ ...event.config, secret }),
    sign({ body, now, shown, secret, touch }) {
      const at = time ? timeText(now, time.unit) : ''
      const signature = show(touch(event.hash(event.text(body, secret, at))))
      const timeHeader = time ? { [time.header]: timeText(shown, time.unit) } : {}
      return { body, headers: { ...headersOf(event), ...timeHeader, [event.header]: signature } }
    },
    covers: {
      body: true,
      ...(time ? { timestamp: true as const } : {}),
      ...(event.coversUrl ? { url: true as const } : {}),
    },
    carriedIn: [event.header],
    ...(time ? { toleranceSeconds: time.tolerance } : {}),
  }
}

export const digest = (algorithm: string) => (text: string) =>
  createHash(algorithm).update(text).digest('hex')
