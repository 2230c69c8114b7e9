/**
 * Requests of every platform, signed by independent code, and the verifier that reads them. For
 * tests.
 */
import { SOURCE_REF } from './platform-verifier.fixture.ts'
import type { FetchOptions } from './fetched-keys.ts'
import type { Preset } from './preset.ts'
import { loadPresets } from './presets.ts'
import type { Credentials, InboundRequest } from './request.ts'
import { SIGNERS } from './signers/all.fixture.ts'
import {
  type SigningInput,
  SOURCE_URL,
  type SignedRequest,
  type Signer,
} from './signers/signer.fixture.ts'
import type { VerificationResult } from './verification-result.ts'
import { createVerifier } from './verifier.ts'

export const NOW = 1_700_000_000_000
export const PRESETS = new Map((await loadPresets()).map((preset) => [preset.source, preset]))
export const named = SIGNERS.map((signer): [string, Signer] => {
  const variant = signer.variant === undefined ? '' : ` (${signer.variant})`
  return [`${signer.source}${variant}`, signer]
})
export const checked = named.filter(([, signer]) => !signer.unchecked)

export function presetOf({ source }: Signer): Preset {
  const preset = PRESETS.get(source)
  if (preset === undefined) throw new Error(`${source} has no row`)
  return preset
}

export function requestOf({
  method = 'POST',
  url = SOURCE_URL,
  headers,
  body,
}: SignedRequest): InboundRequest {
  const entries = Object.entries(headers).filter(([, value]) => value.length > 0)
  return {
    method,
    url: new URL(url, SOURCE_URL),
    headers: new Map(
      entries.map(([name, value]) => [
        name.toLowerCase(),
        typeof value === 'string' ? [value] : value,
      ]),
    ),
    body: Buffer.from(body),
    receivedAt: NOW,
  }
}

export function verifierOf({ published = {} }: Signer) {
  return createVerifier({
    now: () => NOW,
    async fetchText(url: URL, options?: FetchOptions) {
      // Plaid is asked for a key in a body, the others by an address.
      const keyId = /"key_id":"([^"]+)"/.exec(options?.body ?? '')?.[1]
      const text = published[keyId === undefined ? url.href : `${url.href} ${keyId}`]
      if (text === undefined) throw new Error(`nothing is published at ${url.href}`)
      return text
    },
  })
}

export function sign(signer: Signer, ask: Partial<SigningInput> = {}): SignedRequest {
  const now = ask.now ?? NOW
  return signer.sign({
    body: signer.body,
    now,
    shown: now,
    secret: signer.secrets[0],
    touch: (signature) => signature,
    ...ask,
  })
}

export function credentialsOf(signer: Signer): Credentials {
  return signer.config(signer.secrets[0])
}

export async function verify(
  signer: Signer,
  sent: SignedRequest,
  credentials = credentialsOf(signer),
): Promise<VerificationResult> {
  return await verifierOf(signer).verify(presetOf(signer), requestOf(sent), credentials, SOURCE_REF)
}
