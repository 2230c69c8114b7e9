/**
 * What we check of a response ourselves, because the library does not: who issued it and for whom,
 * and that it says one thing only. Its input is what the library parsed from the signed bytes, and
 * beside that the unsigned envelope. Pure: the time is an argument.
 */
import { EmailAddress } from '@posthorn/contracts/email-address'
import type { SamlExpectations, SamlIdentity } from './saml-protocol.ts'

/** An element as xml2js makes it: attributes in `$`, text in `_`, children by name. */
export interface ParsedElement {
  $?: Record<string, string>
  _?: string
  [child: string]: ParsedElement[] | Record<string, string> | string | undefined
}

export type AssertionResult =
  | { outcome: 'identity'; identity: SamlIdentity }
  | { outcome: 'refused'; reason: string }

export const CLOCK_SKEW_MS = 60_000
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const MAX_SUBJECT = 256

const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]
const NAME_ATTRIBUTES = [
  'displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
]
const GIVEN_NAMES = [
  'givenname',
  'firstname',
  'urn:oid:2.5.4.42',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
]
const FAMILY_NAMES = [
  'surname',
  'lastname',
  'sn',
  'urn:oid:2.5.4.4',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
]

export function checkAssertion(
  response: ParsedElement,
  assertion: ParsedElement,
  expected: SamlExpectations,
  now: number,
): AssertionResult {
  const wrong =
    wrongWithEnvelope(response, expected) ??
    wrongWithAssertion(assertion, expected) ??
    wrongWithConfirmations(assertion, expected, now)
  if (wrong !== null) return refused(wrong)
  const nameId = only(only(assertion, 'Subject'), 'NameID')
  const subject = textOf(nameId)
  if (subject === '' || subject.length > MAX_SUBJECT) return refused('the NameID has no use')
  return {
    outcome: 'identity',
    identity: {
      issuer: expected.idpEntityId,
      subject,
      email: emailOf(assertion, nameId),
      name: nameOf(assertion),
      assertionId: assertion.$?.['ID'] ?? '',
      expiresAt: expiryOf(assertion, now),
    },
  }
}

function wrongWithEnvelope(response: ParsedElement, expected: SamlExpectations): string | null {
  const { Destination, InResponseTo } = response.$ ?? {}
  if (Destination !== expected.acsUrl) return 'the Destination is not this ACS'
  if (InResponseTo !== expected.requestId) return 'the response answers another request'
  const issuer = all(response, 'Issuer')
  if (issuer.length > 1 || (issuer[0] !== undefined && textOf(issuer[0]) !== expected.idpEntityId))
    return 'the issuer of the response is not the identity provider'
  if (all(response, 'Assertion').length !== 1) return 'there is not exactly one assertion'
  const status = only(only(response, 'Status'), 'StatusCode')?.$?.['Value']
  return status === SUCCESS ? null : 'the status is not success'
}

function wrongWithAssertion(assertion: ParsedElement, expected: SamlExpectations): string | null {
  if ((assertion.$?.['ID'] ?? '') === '') return 'the assertion has no id'
  if (textOf(only(assertion, 'Issuer')) !== expected.idpEntityId)
    return 'the issuer of the assertion is not the identity provider'
  if (only(assertion, 'Conditions') === undefined) return 'the assertion has no conditions'
  if (only(assertion, 'AuthnStatement') === undefined)
    return 'there is not exactly one AuthnStatement'
  const nameId = only(only(assertion, 'Subject'), 'NameID')
  if (nameId === undefined) return 'there is not exactly one NameID'
  if (nameId.$?.['Format'] === TRANSIENT) return 'the NameID is another one each time'
  return null
}

function wrongWithConfirmations(
  assertion: ParsedElement,
  { acsUrl, requestId }: SamlExpectations,
  now: number,
): string | null {
  const confirmations = all(only(assertion, 'Subject'), 'SubjectConfirmation')
  if (!confirmations.some(({ $ }) => $?.['Method'] === BEARER))
    return 'there is no bearer confirmation'
  for (const confirmation of confirmations) {
    const data = only(confirmation, 'SubjectConfirmationData')?.$ ?? {}
    if (data['Recipient'] !== acsUrl) return 'a Recipient is not this ACS'
    if (data['InResponseTo'] !== requestId) return 'a confirmation answers another request'
    const end = Date.parse(data['NotOnOrAfter'] ?? '')
    if (!(now - CLOCK_SKEW_MS < end)) return 'a confirmation has expired'
  }
  return null
}

/** When the last of its conditions ends. */
function expiryOf(assertion: ParsedElement, now: number): number {
  const confirmations = all(only(assertion, 'Subject'), 'SubjectConfirmation')
  const ends = [
    only(assertion, 'Conditions')?.$?.['NotOnOrAfter'],
    ...confirmations.map((one) => only(one, 'SubjectConfirmationData')?.$?.['NotOnOrAfter']),
  ].map((end) => Date.parse(end ?? ''))
  return Math.max(now, ...ends.filter((end) => !Number.isNaN(end))) + CLOCK_SKEW_MS
}

function emailOf(assertion: ParsedElement, nameId: ParsedElement | undefined): string | null {
  const attributes = attributesOf(assertion)
  const fromId = textOf(nameId)
  const isEmailId = nameId?.$?.['Format'] === EMAIL_FORMAT
  const given = valueOf(attributes, EMAIL_ATTRIBUTES) ?? ''
  return EmailAddress.safeParse(isEmailId || given === '' ? fromId : given).data ?? null
}

function nameOf(assertion: ParsedElement): string | null {
  const attributes = attributesOf(assertion)
  const parts = [valueOf(attributes, GIVEN_NAMES), valueOf(attributes, FAMILY_NAMES)]
  const name = valueOf(attributes, NAME_ATTRIBUTES) ?? parts.filter(Boolean).join(' ')
  const shown = name
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 100)
    .toWellFormed()
  return shown === '' ? null : shown
}

/** The first value of each attribute, by its name in lower case. */
function attributesOf(assertion: ParsedElement): Map<string, string> {
  const values = new Map<string, string>()
  for (const attribute of all(assertion, 'AttributeStatement').flatMap((one) =>
    all(one, 'Attribute'),
  )) {
    const name = (attribute.$?.['Name'] ?? '').toLowerCase()
    const value = textOf(all(attribute, 'AttributeValue')[0])
    if (!values.has(name) && value !== '') values.set(name, value)
  }
  return values
}

function valueOf(
  attributes: ReadonlyMap<string, string>,
  names: readonly string[],
): string | undefined {
  return names.map((name) => attributes.get(name)).find((value) => value !== undefined)
}

export function all(element: ParsedElement | undefined, name: string): ParsedElement[] {
  const children = element?.[name]
  return Array.isArray(children) ? children : []
}

/** The one child of that name; none where there is another number of them. */
export function only(element: ParsedElement | undefined, name: string): ParsedElement | undefined {
  const children = all(element, name)
  return children.length === 1 ? children[0] : undefined
}

export function textOf(element: ParsedElement | undefined): string {
  return typeof element?._ === 'string' ? element._.trim() : ''
}

function refused(reason: string): AssertionResult {
  return { outcome: 'refused', reason }
}
