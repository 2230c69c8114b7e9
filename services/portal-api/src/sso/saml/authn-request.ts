/**
 * The XML that we write: the request that starts a sign-in, and our metadata. Small enough to need
 * no library, which would take 150 ms or more of the event loop to load.
 */
import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import type { SamlUrls } from '../connection-record.ts'

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

export interface AuthnRequest {
  /** As the response must repeat it. */
  id: string
  /** Where the browser goes. */
  location: string
}

/** @param now epoch ms */
export function newAuthnRequest(
  { idpSsoUrl, relayState }: { idpSsoUrl: string; relayState: string },
  { spEntityId, acsUrl }: Pick<SamlUrls, 'spEntityId' | 'acsUrl'>,
  now: number,
): AuthnRequest {
  const id = `_${randomBytes(20).toString('hex')}`
  const xml = `<samlp:AuthnRequest${attributes({
    'xmlns:samlp': PROTOCOL,
    ID: id,
    Version: '2.0',
    IssueInstant: new Date(now).toISOString(),
    Destination: idpSsoUrl,
    ProtocolBinding: POST,
    AssertionConsumerServiceURL: acsUrl,
  })}><saml:Issuer${attributes({ 'xmlns:saml': ASSERTION })}>${escaped(spEntityId)}</saml:Issuer>${`<samlp:NameIDPolicy${attributes({ Format: EMAIL_FORMAT, AllowCreate: 'true' })}/>`}</samlp:AuthnRequest>`
  const location = new URL(idpSsoUrl)
  location.searchParams.set('SAMLRequest', deflateRawSync(xml).toString('base64'))
  location.searchParams.set('RelayState', relayState)
  return { id, location: location.href }
}

export function samlMetadata({ spEntityId, acsUrl }: SamlUrls): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<EntityDescriptor${attributes({ xmlns: METADATA, entityID: spEntityId })}>
  <SPSSODescriptor${attributes({
    AuthnRequestsSigned: 'false',
    WantAssertionsSigned: 'true',
    protocolSupportEnumeration: PROTOCOL,
  })}>
    <NameIDFormat>${EMAIL_FORMAT}</NameIDFormat>
    <AssertionConsumerService${attributes({
      Binding: POST,
      Location: acsUrl,
      index: '1',
      isDefault: 'true',
    })}/>
  </SPSSODescriptor>
</EntityDescriptor>
`
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] as string)
}
