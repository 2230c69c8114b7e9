/**
 * Requests made by hand and verified as the service does it, with the platforms' published keys at
 * hand and without a network.
 */
import type { Preset } from './preset.ts'
import { findPreset } from './presets.ts'
import type { SourceRef, FetchOptions } from './fetched-keys.ts'
import type { Credentials, InboundRequest } from './request.ts'
import type { HandshakeAnswer } from './verification-result.ts'
import { createVerifier } from './verifier.ts'

export const NOW = 1_700_000_000_000
export const SOURCE_URL = 'https://hooks.example.com/inbound/abcdefgh'

/** The source that requests are sent to. */
export const SOURCE_REF: SourceRef = { tenantId: 'tenant', id: 'source' }

export interface TestRequest {
  readonly method?: InboundRequest['method']
  /** Appended to the endpoint's URL, or a whole URL. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export function requestOf({ method = 'POST', url = '', headers = {}, body = '' }: TestRequest) {
  return {
    method,
    url: new URL(url, SOURCE_URL),
    headers: new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])),
    body: Buffer.from(body),
    receivedAt: NOW,
  } satisfies InboundRequest
}

export async function presetOf(source: string): Promise<Preset> {
  const preset = await findPreset(source)
  if (preset === null) throw new Error(`${source} is no platform`)
  return preset
}

/** @param published the text at an address; a function gets the options of the fetch */
export function createPlatformVerifier(
  preset: Preset,
  published: Readonly<Record<string, string | ((options?: FetchOptions) => string)>> = {},
) {
  const verifier = createVerifier({
    now: () => NOW,
    fetchText: async (url, options) => {
      const text = published[url.href]
      if (text === undefined) throw new Error(`nothing is published at ${url.href}`)
      return typeof text === 'string' ? text : text(options)
    },
  })
  return {
    preset,
    /** @returns `verified`, `unavailable`, or the reason of the rejection */
    async resultOf(sent: TestRequest, credentials: Credentials): Promise<string> {
      const result = await verifier.verify(preset, requestOf(sent), credentials, SOURCE_REF)
      return result.outcome === 'rejected' ? result.reason : result.outcome
    },
    answerTo: (sent: TestRequest, credentials: Credentials): HandshakeAnswer | null =>
      verifier.handshake(preset, requestOf(sent), credentials),
    answerToSigned: (sent: TestRequest, credentials: Credentials): HandshakeAnswer | null =>
      verifier.signedHandshake(preset, requestOf(sent), credentials),
  }
}
