/**
 * A SAML identity provider in this process, by samlify, and what an attacker makes of its answers.
 * For tests.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { inflateRawSync } from 'node:zlib'
import { makeCertificate } from '@posthorn/egress/certificate.fixture'

/** The library's own types bring those of browsers with them, which hide Node's. */
interface Samlify {
  IdentityProvider(settings: object): {
    getMetadata(): string
    createLoginResponse(
      sp: object,
      request: object,
      binding: 'post',
      user: object,
      replace: (template: string) => { id: string; context: string },
    ): Promise<{ context: string }>
  }
  ServiceProvider(settings: object): object
}
const { IdentityProvider, ServiceProvider } = createRequire(import.meta.url)('samlify') as Samlify

export interface SamlIdp {
  entityId: string
  ssoUrl: string
  certificate: string
  metadata: string
  /** A signed response, as XML. */
  answer(request: SamlAnswerOptions): Promise<string>
}

export interface SamlAnswerOptions {
  requestId: string
  acsUrl: string
  spEntityId: string
  email: string
  /** Values of the template that differ, by their name in it. */
  values?: Readonly<Record<string, string>>
  /** Changes the XML before it is signed. */
  edit?(xml: string): string
  /** Whether the response is signed too. Default: the assertion alone, as Entra does. */
  signResponse?: boolean
}

const ATTRIBUTES = `<saml:AttributeStatement>
<saml:Attribute Name="displayName"><saml:AttributeValue>Ada Byron</saml:AttributeValue></saml:Attribute>
</saml:AttributeStatement>`

/** @param trusted false: it signs with a key that is not in its metadata */
export function createSamlIdp(
  entityId = 'https://idp.example/metadata',
  trusted = true,
  ssoUrl = 'https://idp.example/sso',
): SamlIdp {
  const shown = makeCertificate({ name: 'idp', keyType: 'rsa' })
  const signing = trusted ? shown : makeCertificate({ name: 'idp', keyType: 'rsa' })
  const idp = IdentityProvider({
    entityID: entityId,
    privateKey: signing.key,
    signingCert: signing.cert,
    isAssertionEncrypted: false,
    nameIDFormat: ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'],
    singleLogoutService: [
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: ssoUrl },
    ],
    singleSignOnService: [
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', Location: `${ssoUrl}/post` },
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: ssoUrl },
    ],
  })
  return {
    entityId,
    ssoUrl,
    certificate: shown.cert,
    metadata: idp.getMetadata(),
    async answer(request) {
      const sp = ServiceProvider({
        entityID: request.spEntityId,
        wantAssertionsSigned: true,
        wantMessageSigned: request.signResponse === true,
        assertionConsumerService: [
          {
            Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
            Location: request.acsUrl,
          },
        ],
      })
      const { context } = await idp.createLoginResponse(
        sp,
        {} as never,
        'post',
        {},
        (template) => ({
          id: '',
          context: fill(template, entityId, request),
        }),
      )
      return Buffer.from(context, 'base64').toString()
    },
  }
}

function fill(
  template: string,
  entityId: string,
  { requestId, acsUrl, spEntityId, email, values = {}, edit = (xml) => xml }: SamlAnswerOptions,
): string {
  const at = (ms: number): string => new Date(Date.now() + ms).toISOString()
  const all: Record<string, string> = {
    ID: `_${randomUUID()}`,
    AssertionID: `_${randomUUID()}`,
    Destination: acsUrl,
    Audience: spEntityId,
    SubjectRecipient: acsUrl,
    Issuer: entityId,
    IssueInstant: at(0),
    StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    ConditionsNotBefore: at(-1_000),
    ConditionsNotOnOrAfter: at(300_000),
    SubjectConfirmationDataNotOnOrAfter: at(300_000),
    NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    NameID: email,
    InResponseTo: requestId,
    AuthnStatement: `<saml:AuthnStatement AuthnInstant="${at(0)}"/>`,
    AttributeStatement: ATTRIBUTES,
    ...values,
  }
  return edit(template.replaceAll(/\{(\w+)\}/g, (_tag, name: string) => all[name] ?? ''))
}

/** The AuthnRequest that a redirect to the provider carries. */
export function readAuthnRequest(location: string): {
  id: string
  xml: string
  relayState: string
} {
  const { searchParams } = new URL(location)
  const request = Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')
  const xml = inflateRawSync(request).toString()
  const id = / ID="([^"]+)"/.exec(xml)?.[1] ?? ''
  return { id, xml, relayState: searchParams.get('RelayState') ?? '' }
}

const ASSERTION = /<saml:Assertion [^]*<\/saml:Assertion>/
const SIGNATURE = /<ds:Signature [^]*?<\/ds:Signature>/
const SIGNATURES = /<ds:Signature [^]*?<\/ds:Signature>/g
const STRANGER = 'mallory@a.example'

/** The signed assertion as a stranger would have it: another id, another address, no signature. */
function forged(xml: string, email: string): string {
  const assertion = ASSERTION.exec(xml)?.[0] ?? ''
  return assertion
    .replace(SIGNATURE, '')
    .replace(/(<saml:Assertion [^>]*?\bID=")[^"]*/, '$1_forged')
    .replaceAll(email, STRANGER)
}

/** What the ground's attacks make of a response that is signed for `email`. */
export const ATTACKS: Readonly<Record<string, (xml: string, email: string) => string>> = {
  'a forged assertion before the signed one': (xml, email) =>
    xml.replace(ASSERTION, (signed) => forged(xml, email) + signed),
  'a forged assertion after the signed one': (xml, email) =>
    xml.replace(ASSERTION, (signed) => signed + forged(xml, email)),
  'a forged assertion around the signed one': (xml, email) =>
    xml.replace(ASSERTION, (signed) =>
      forged(xml, email).replace('</saml:Issuer>', `</saml:Issuer><x>${signed}</x>`),
    ),
  'a forged assertion, the signed one in its signature': (xml, email) =>
    xml.replace(ASSERTION, (signed) => {
      const signature = SIGNATURE.exec(signed)?.[0] ?? ''
      const object = `<ds:Object>${signed.replace(SIGNATURE, '')}</ds:Object></ds:Signature>`
      const wrapping = signature.replace('</ds:Signature>', object)
      return forged(xml, email).replace('</saml:Issuer>', `</saml:Issuer>${wrapping}`)
    }),
  'a changed address': (xml, email) => xml.replaceAll(email, STRANGER),
  'no signature': (xml) => xml.replaceAll(SIGNATURES, ''),
  'a second SignedInfo': (xml, email) =>
    xml
      .replace(/<ds:SignedInfo>[^]*<\/ds:SignedInfo>/, (info) => info + info)
      .replaceAll(email, STRANGER),
  'an HMAC with the certificate as its key': (xml, email) => {
    const hmac = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'
    const certificate = /<ds:X509Certificate>([^<]*)/.exec(xml)?.[1] ?? ''
    const value = createHmac('sha1', certificate).update('x').digest('base64')
    return xml
      .replace(/(<ds:SignatureMethod Algorithm=")[^"]*/, `$1${hmac}`)
      .replace(/(<ds:SignatureValue>)[^<]*/, `$1${value}`)
      .replaceAll(email, STRANGER)
  },
  'a comment in the NameID': (xml, email) => xml.replace(email, `${email}<!---->.evil.example`),
  'a comment where it changes no signature': (xml, email) => xml.replace(email, `<!---->${email}`),
  'a processing instruction in the NameID': (xml, email) => xml.replace(email, `<?x y?>${email}`),
  'CDATA in the NameID': (xml, email) => xml.replace(email, `<![CDATA[${email}]]>`),
  'a comment in the DigestValue': (xml) =>
    xml.replace('<ds:DigestValue>', '<ds:DigestValue><!--x-->'),
  'a document type with an entity': (xml, email) =>
    `<!DOCTYPE r [<!ENTITY e "${email}">]>${xml.replace(`>${email}<`, '>&e;<')}`,
}
