/**
 * The messages between the SAML verifier and its worker threads. Both run this version: nothing
 * here is stored.
 */

/** What a response must be for, all of it from the connection and from the sign-in's own row. */
export interface SamlExpectations {
  idpEntityId: string
  /** PEM, or base64 without lines around it. Only these keys are trusted. */
  idpCertificates: readonly string[]
  spEntityId: string
  acsUrl: string
  /** The id of the AuthnRequest that the response must answer. */
  requestId: string
  /** Whether the response itself must be signed, and not only the assertion. */
  wantResponseSigned: boolean
}

export interface SamlIdentity {
  issuer: string
  /** The NameID. */
  subject: string
  /** In lower case; null: neither the NameID nor an attribute is an address. */
  email: string | null
  name: string | null
  assertionId: string
  /** Epoch ms: until then the assertion would be accepted again, so its id must be remembered. */
  expiresAt: number
}

export interface SamlIdpMetadata {
  idpEntityId: string
  idpSsoUrl: string
  idpCertificates: string[]
}

export type SamlTask =
  | { kind: 'response'; xml: string; expected: SamlExpectations }
  | { kind: 'metadata'; xml: string }

export type SamlTaskResult =
  | { outcome: 'identity'; identity: SamlIdentity }
  | { outcome: 'metadata'; metadata: SamlIdpMetadata }
  | { outcome: 'refused'; reason: string }

export type SamlWorkerMessage = { ready: true } | { ready: false; result: SamlTaskResult }
