import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { longestTurnMs } from '@posthorn/testing/longest-turn'
import type { SamlExpectations } from './saml-protocol.ts'
import { ATTACKS, createSamlIdp, type SamlAnswerOptions } from './saml-idp.fixture.ts'
import { createSamlVerifier, type SamlVerifier } from './saml-verifier.ts'

const TENANT = 'tenant'
const EMAIL = 'ada@a.example'
const idp = createSamlIdp()
const expected: SamlExpectations = {
  idpEntityId: idp.entityId,
  idpCertificates: [idp.certificate],
  spEntityId: 'https://p.example/metadata',
  acsUrl: 'https://p.example/acs',
  requestId: '_request',
  wantResponseSigned: false,
}
const request: SamlAnswerOptions = { ...expected, email: EMAIL }

const replaced: (string | null)[] = []
let verifier: SamlVerifier

beforeAll(() => {
  verifier = createVerifier()
})
afterAll(() => verifier.close())

function createVerifier(limitMs?: number): SamlVerifier {
  return createSamlVerifier(limitMs === undefined ? {} : { limitMs }, {
    onReplaced: (_reason, tenantId) => replaced.push(tenantId),
  })
}

function base64(xml: string): string {
  return Buffer.from(xml).toString('base64')
}

async function verify(xml: string, wanted: Partial<SamlExpectations> = {}) {
  return await verifier.verify(TENANT, base64(xml), { ...expected, ...wanted })
}

async function answer(more: Partial<SamlAnswerOptions> = {}): Promise<string> {
  return await idp.answer({ ...request, ...more })
}

test('a signed assertion tells who it is', async () => {
  expect(await verify(await answer())).toEqual({
    outcome: 'identity',
    identity: {
      issuer: idp.entityId,
      subject: EMAIL,
      email: EMAIL,
      name: 'Ada Byron',
      assertionId: expect.stringMatching(/^_/),
      expiresAt: expect.any(Number),
    },
  })
  const both = await answer({ signResponse: true })
  expect(await verify(both, { wantResponseSigned: true })).toMatchObject({ outcome: 'identity' })
})

test('where the response must be signed too, an assertion alone is not enough', async () => {
  const wanted = { wantResponseSigned: true }
  expect(await verify(await answer(), wanted)).toMatchObject({ outcome: 'refused' })
})

test.each(Object.keys(ATTACKS))('refused: %s', async (name) => {
  for (const signResponse of [false, true]) {
    const xml = await answer({ signResponse })
    const attacked = ATTACKS[name]?.(xml, EMAIL) ?? xml
    expect(attacked).not.toBe(xml)
    expect(await verify(attacked)).toMatchObject({ outcome: 'refused' })
  }
})

describe('signed by the provider, and refused', () => {
  const twice = (element: RegExp) => (xml: string) => xml.replace(element, (one) => one + one)
  const long = { Issuer: 'https://other.example' }
  const past = new Date(Date.now() - 120_000).toISOString()
  test.each<[string, Partial<SamlAnswerOptions>, RegExp]>([
    ['another Destination', { values: { Destination: 'https://q.example' } }, /Destination/],
    ['another Recipient', { values: { SubjectRecipient: 'https://q.example' } }, /Recipient/],
    [
      'one of two Recipients',
      {
        edit: (xml) =>
          xml.replace(/<saml:SubjectConfirmation [^]*<\/saml:SubjectConfirmation>/, (one) =>
            [one, one.replace('https://p.example/acs', 'https://q.example')].join(''),
          ),
      },
      /Recipient/,
    ],
    ['another issuer', { values: long }, /issuer/],
    ['another audience', { values: { Audience: 'https://q.example' } }, /audience/],
    ['another request', { requestId: '_other' }, /InResponseTo/],
    [
      'a confirmation for no request',
      {
        edit: (xml) =>
          xml.replace(/(<saml:SubjectConfirmationData[^>]*) InResponseTo="[^"]*"/, '$1'),
      },
      /another request/,
    ],
    ['no AuthnStatement', { values: { AuthnStatement: '' } }, /AuthnStatement/],
    ['two AuthnStatements', { edit: twice(/<saml:AuthnStatement [^>]*>/) }, /AuthnStatement/],
    ['two NameIDs', { edit: twice(/<saml:NameID [^]*<\/saml:NameID>/) }, /NameID/],
    ['two Subjects', { edit: twice(/<saml:Subject>[^]*<\/saml:Subject>/) }, /NameID|bearer/],
    [
      'no success',
      { values: { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' } },
      /status/,
    ],
    [
      'a NameID that is another one each time',
      { values: { NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' } },
      /another one each time/,
    ],
    [
      'an expired confirmation',
      { values: { SubjectConfirmationDataNotOnOrAfter: past } },
      /confirmation|expired/,
    ],
    ['expired conditions', { values: { ConditionsNotOnOrAfter: past } }, /expired/],
    [
      'an assertion of long ago',
      { values: { IssueInstant: new Date(Date.now() - 400_000).toISOString() } },
      /too old|subject confirmation/,
    ],
    [
      'another confirmation method',
      { edit: (xml) => xml.replace('cm:bearer', 'cm:sender-vouches') },
      /bearer/,
    ],
  ])('%s', async (_what, more, reason) => {
    expect(await verify(await answer(more))).toEqual({
      outcome: 'refused',
      reason: expect.stringMatching(reason),
    })
  })
})

test('another key is not trusted, whatever certificate comes with the response', async () => {
  const stranger = createSamlIdp(idp.entityId, false)
  expect(await verify(await stranger.answer(request))).toMatchObject({ outcome: 'refused' })
  // An attacker's own provider, with the entity id of ours.
  const another = createSamlIdp(idp.entityId)
  expect(await verify(await another.answer(request))).toMatchObject({ outcome: 'refused' })
})

describe('hostile XML', () => {
  const response = (inner: string): string =>
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" InResponseTo="_request">${inner}</samlp:Response>`
  const shapes: Record<string, string> = {
    'empty elements': response('<a/>'.repeat(3_990)),
    'deep elements': response('<a>'.repeat(1_990) + '</a>'.repeat(1_990)),
    'many attributes': response(
      `<a ${Array.from({ length: 5_000 }, (_, n) => `b${n}=""`).join(' ')}/>`,
    ),
    namespaces: response(
      Array.from({ length: 990 }, (_, n) => `<a xmlns:n${n}="u${n}">`).join('') +
        '</a>'.repeat(990),
    ),
    entities: response('&amp;'.repeat(9_000)),
    signatures: response(
      '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo/></ds:Signature>'.repeat(
        490,
      ),
    ),
    'an open tag': response('<a'.repeat(3_990)),
    garbage: 'x'.repeat(48_000),
  }

  test.each(Object.keys(shapes))('%s: refused, and the event loop goes on', async (shape) => {
    await verify(await answer())
    const longest = await longestTurnMs(async () => {
      expect(await verify(shapes[shape] ?? '')).toMatchObject({ outcome: 'refused' })
    })
    expect(longest).toBeLessThanOrEqual(25)
  })
})

test('a thread that is over its limit is replaced, and its workspace is refused', async () => {
  const hasty = createVerifier(1)
  replaced.length = 0
  const xml = base64(await answer())
  expect(await hasty.verify('slow', xml, expected)).toEqual({
    outcome: 'refused',
    reason: 'it took too long',
  })
  // The next thread starts, and has the same limit.
  expect(await hasty.verify('other', xml, expected)).toMatchObject({ outcome: 'refused' })
  expect(replaced).toEqual(['slow', 'other'])
  await hasty.close()
})

test('a workspace has its share: others wait for one of its tasks, not for all', async () => {
  const shared = createVerifier()
  const xml = base64(await answer())
  const order: string[] = []
  const outcomes = await Promise.all([
    ...Array.from({ length: 10 }, async () => {
      const { outcome } = await shared.verify('many', xml, expected)
      if (outcome !== 'busy') order.push('many')
      return outcome
    }),
    shared.verify('one', xml, expected).then(({ outcome }) => {
      order.push('one')
      return outcome
    }),
  ])
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(2)
  expect(outcomes.at(-1)).toBe('identity')
  expect(order.indexOf('one')).toBeLessThanOrEqual(1)
  await shared.close()
  expect(await shared.verify('one', xml, expected)).toEqual({ outcome: 'busy' })
})

describe('metadata', () => {
  const read = (xml: string) => verifier.readMetadata(TENANT, xml)

  test('tells entity id, address and keys', async () => {
    const base64Certificate = idp.certificate.replaceAll(/-----[^-]*-----|\s/g, '')
    const metadata = {
      idpEntityId: idp.entityId,
      idpSsoUrl: idp.ssoUrl,
      idpCertificates: [base64Certificate],
    }
    expect(await read(idp.metadata)).toEqual({ outcome: 'metadata', metadata })
    const commented = `<?xml version="1.0" encoding="UTF-8"?>\n<!-- from our wiki -->${idp.metadata}`
    expect(await read(commented)).toEqual({ outcome: 'metadata', metadata })
    expect(await verify(await answer(), metadata)).toMatchObject({ outcome: 'identity' })
  })

  test.each([
    ['nothing', ''],
    ['no XML', 'https://idp.example/metadata'],
    ['another document', '<html></html>'],
    ['broken XML', idp.metadata.slice(0, -20)],
    ['no provider', '<EntityDescriptor entityID="x"><SPSSODescriptor/></EntityDescriptor>'],
    ['no redirect', idp.metadata.replaceAll('HTTP-Redirect', 'SOAP')],
    [
      'no certificate',
      idp.metadata.replaceAll(/<ds:X509Certificate>[^<]*/g, '<ds:X509Certificate>'),
    ],
    ['a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${idp.metadata}`],
    ['a document type behind comments', `<!<!---->DOCTYPE x>${idp.metadata}`],
    ['too much', `<a>${' '.repeat(256 * 1024)}</a>`],
    ['too many elements', `<a>${'<b/>'.repeat(8_000)}</a>`],
  ])('%s: refused', async (_what, xml) => {
    expect(await read(xml)).toMatchObject({ outcome: 'refused' })
  })
})
