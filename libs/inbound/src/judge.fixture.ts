/** Requests by hand, judged as the receiver would, with the platforms' published keys at hand and no network. */
import { PRESETS } from './presets.ts'
import type { Asker, Asking } from './published-keys.ts'
import type { Credentials, InboundRequest } from './request.ts'
import type { HandshakeAnswer } from './verdict.ts'
import { createVerifier } from './verifier.ts'

export const NOW = 1_700_000_000_000
export const RECEIVER = 'https://hooks.example.com/inbound/abcdefgh'

/** The source that requests are sent to. */
export const ASKER: Asker = { tenantId: 'tenant', id: 'source' }

export interface Sent {
  readonly method?: InboundRequest['method']
  /** Behind the receiver's own, or a whole one. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export function requestOf({ method = 'POST', url = '', headers = {}, body = '' }: Sent) {
  return {
    method,
    url: new URL(url, RECEIVER),
    headers: new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])),
    body: Buffer.from(body),
    receivedAt: NOW,
  } satisfies InboundRequest
}

/** @param published what stands at an address; a function is asked who asks */
export function createJudge(
  source: string,
  published: Readonly<Record<string, string | ((asking?: Asking) => string)>> = {},
) {
  const preset = PRESETS.get(source)!
  const verifier = createVerifier({
    now: () => NOW,
    fetchText: async (url, asking) => {
      const text = published[url.href]
      if (text === undefined) throw new Error(`nothing is published at ${url.href}`)
      return typeof text === 'string' ? text : text(asking)
    },
  })
  return {
    preset,
    /** @returns `verified`, `unavailable`, or why it is rejected */
    async verdictOf(sent: Sent, credentials: Credentials): Promise<string> {
      const verdict = await verifier.verify(preset, requestOf(sent), credentials, ASKER)
      return verdict.outcome === 'rejected' ? verdict.reason : verdict.outcome
    },
    answerTo: (sent: Sent, credentials: Credentials): HandshakeAnswer | null =>
      verifier.handshake(preset, requestOf(sent), credentials),
    answerToSigned: (sent: Sent, credentials: Credentials): HandshakeAnswer | null =>
      verifier.signedHandshake(preset, requestOf(sent), credentials),
  }
}
