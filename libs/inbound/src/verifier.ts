/**
 * The entrance to this library: verifies requests by a preset and answers its handshakes. It knows
 * neither network nor database: what platforms publish comes from `fetchText`.
 */
import { MAX_NESTING } from '@posthorn/domain/nesting'
import { hasTooManyFields, isForm, MAX_FIELDS } from './form-fields.ts'
import { answerHandshake } from './answer-handshake.ts'
import {
  type HandshakeAnswer,
  rejected,
  step,
  type VerificationResult,
} from './verification-result.ts'
import type { Preset } from './preset.ts'
import { type SourceRef, createFetchedKeys, type FetchText } from './fetched-keys.ts'
import { readJson } from './read-json.ts'
import { createRequestView } from './request-view.ts'
import { usesJsonBody } from './uses-json-body.ts'
import type { Credentials, InboundRequest } from './request.ts'
import { verifyRule } from './verify.ts'
import { betweenReadings } from './yield-after.ts'

export interface VerifierDeps {
  /**
   * Fetches through the egress guard, at most 256 KiB and 5 s, without redirects. It is called only
   * for hosts that a preset pins or a user has configured; the answers are cached, and each source
   * causes a few calls a minute at most.
   */
  fetchText: FetchText
  now(): number
}

export interface Verifier {
  /**
   * Called first.
   *
   * @returns null when the request is no handshake, or one that must be verified like any other
   * request
   */
  handshake(
    preset: Preset,
    request: InboundRequest,
    credentials: Credentials,
  ): HandshakeAnswer | null
  /** Never throws, whatever was sent. */
  verify(
    preset: Preset,
    request: InboundRequest,
    credentials: Credentials,
    source: SourceRef,
  ): Promise<VerificationResult>
  /** Answers a challenge in a signed request (Slack, Discord, SNS), once it is verified. */
  signedHandshake(
    preset: Preset,
    request: InboundRequest,
    credentials: Credentials,
  ): HandshakeAnswer | null
}

export function createVerifier({ fetchText, now }: VerifierDeps): Verifier {
  const keys = createFetchedKeys({ fetchText, now })
  return {
    handshake: ({ handshakes = [] }, request, credentials) =>
      answerHandshake(handshakes, createRequestView(request, credentials), false),
    async verify({ verify }, request, credentials, source) {
      if (isForm(request.headers.get('content-type')?.[0] ?? '') && hasTooManyFields(request.body))
        return rejected(
          'too_many_fields',
          step('form', `at most ${MAX_FIELDS} fields`, 'more', false),
        )
      const tools = { keys: keys.of(source), now }
      if (!usesJsonBody(verify))
        return await verifyRule(verify, createRequestView(request, credentials), tools)
      const text = request.body.toString('utf8')
      await betweenReadings(text)
      const read = await readJson(text)
      if (read.outcome === 'too_deep')
        return rejected('too_deep', step('body', `at most ${MAX_NESTING} levels`, 'deeper', false))
      const value = read.outcome === 'ok' ? read.value : undefined
      return await verifyRule(verify, createRequestView(request, credentials, { value }), tools)
    },
    signedHandshake: ({ handshakes = [] }, request, credentials) =>
      answerHandshake(handshakes, createRequestView(request, credentials), true),
  }
}
