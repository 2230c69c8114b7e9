/**
 * The door of this library: judges requests by a preset's row and answers its handshakes. Knows no network and no
 * database: what platforms publish comes by `fetchText`.
 */
import { answerHandshake } from './handshake.ts'
import type { Preset } from './preset.ts'
import { createPublishedKeys, type FetchText } from './published-keys.ts'
import { createReading } from './reading.ts'
import type { Credentials, InboundRequest } from './request.ts'
import type { HandshakeAnswer, Verdict } from './verdict.ts'
import { verifyRule } from './verify.ts'

export interface VerifierDeps {
  /**
   * Through the egress guard, at most 256 KiB and 5 s, no redirects. Asked only for hosts that a preset pins or a user has
   * configured; what came is kept, and an unknown key makes us ask again at most once a minute.
   */
  fetchText: FetchText
  now(): number
}

export interface Verifier {
  /** Asked first. null: none, or one that must be verified like any other request. */
  handshake(
    preset: Preset,
    request: InboundRequest,
    credentials: Credentials,
  ): HandshakeAnswer | null
  /** Never throws, whatever was sent. */
  verify(preset: Preset, request: InboundRequest, credentials: Credentials): Promise<Verdict>
  /** A challenge in a signed request (Slack, Discord, SNS): asked once it is verified. */
  signedHandshake(
    preset: Preset,
    request: InboundRequest,
    credentials: Credentials,
  ): HandshakeAnswer | null
}

export function createVerifier({ fetchText, now }: VerifierDeps): Verifier {
  const keys = createPublishedKeys({ fetchText, now })
  return {
    handshake: ({ handshakes = [] }, request, credentials) =>
      answerHandshake(handshakes, createReading(request, credentials), false),
    verify: ({ verify }, request, credentials) =>
      verifyRule(verify, createReading(request, credentials), { keys, now }),
    signedHandshake: ({ handshakes = [] }, request, credentials) =>
      answerHandshake(handshakes, createReading(request, credentials), true),
  }
}
