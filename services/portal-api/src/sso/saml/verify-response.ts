/**
 * Verifies a response with node-saml: signatures, times and audience, over the signed bytes only;
 * then our own checks. It runs on a worker thread, because hostile XML can keep it busy.
 *
 * The request's id is checked against one value, which the caller took from its row before this
 * began: a response is verified at most once, whoever sends it and how often.
 */
import { createRequire } from 'node:module'
import type { SAML as SamlClass } from '@node-saml/node-saml'
import {
  type AssertionResult,
  checkAssertion,
  CLOCK_SKEW_MS,
  type ParsedElement,
} from './check-assertion.ts'
import type { SamlExpectations } from './saml-protocol.ts'

/** The library is CommonJS, whose names Node's modules do not see. */
const require = createRequire(import.meta.url)
const { SAML } = require('@node-saml/node-saml') as { SAML: typeof SamlClass }
const { parseXml2JsFromString } = require('@node-saml/node-saml/lib/xml.js') as {
  parseXml2JsFromString(xml: string): Promise<unknown>
}

const MAX_ASSERTION_AGE_MS = 300_000

export async function verifyResponse(
  xml: string,
  expected: SamlExpectations,
): Promise<AssertionResult> {
  try {
    const { profile } = await createVerifier(expected).validatePostResponseAsync({
      SAMLResponse: Buffer.from(xml).toString('base64'),
    })
    const { Assertion: assertion } = (profile?.getAssertion?.() ?? {}) as Parsed
    const { Response: response } = (await parseXml(xml)) as Parsed
    if (assertion === undefined || response === undefined)
      return { outcome: 'refused', reason: 'there is no assertion' }
    return checkAssertion(response, assertion, expected, Date.now())
  } catch (error) {
    return { outcome: 'refused', reason: reasonOf(error) }
  }
}

type Parsed = Partial<Record<string, ParsedElement>>

export async function parseXml(xml: string): Promise<object> {
  return ((await parseXml2JsFromString(xml)) ?? {}) as object
}

/** Made anew for each response, so that one connection's answers never serve another's. */
function createVerifier(expected: SamlExpectations): SamlClass {
  const { requestId, spEntityId } = expected
  const createdAt = new Date().toISOString()
  return new SAML({
    callbackUrl: expected.acsUrl,
    issuer: spEntityId,
    audience: spEntityId,
    idpIssuer: expected.idpEntityId,
    idpCert: [...expected.idpCertificates],
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: expected.wantResponseSigned,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    maxAssertionAgeMs: MAX_ASSERTION_AGE_MS,
    disableRequestedAuthnContext: true,
    validateInResponseTo: 'always' as never,
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id) => (id === requestId ? createdAt : null),
      removeAsync: async () => null,
    },
  })
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replaceAll(/\s+/g, ' ').slice(0, 200).toWellFormed()
}
