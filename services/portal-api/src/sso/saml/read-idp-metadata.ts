/**
 * Reads an identity provider's metadata: its entity id, its address for redirects, and the keys
 * that it signs with. It runs on a worker thread. It trusts what an admin pastes, so the metadata's
 * own signature is not looked at; it is never fetched.
 */
import { all, type ParsedElement, textOf } from './check-assertion.ts'
import type { SamlTaskResult } from './saml-protocol.ts'
import { parseXml } from './verify-response.ts'

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

export async function readIdpMetadata(xml: string): Promise<SamlTaskResult> {
  const { EntityDescriptor: entity } = (await parse(xml)) as { EntityDescriptor?: ParsedElement }
  if (entity === undefined) return refused('it is not the metadata of one entity')
  const idpEntityId = entity.$?.['entityID'] ?? ''
  const idps = all(entity, 'IDPSSODescriptor')
  const [idp] = idps
  if (idpEntityId === '' || idp === undefined || idps.length > 1)
    return refused('it does not describe exactly one identity provider')
  const services = all(idp, 'SingleSignOnService').map(({ $ }) => $ ?? {})
  const idpSsoUrl = services.find(({ Binding }) => Binding === REDIRECT)?.['Location']
  if (idpSsoUrl === undefined) return refused('it has no SingleSignOnService for HTTP-Redirect')
  const certificates = all(idp, 'KeyDescriptor')
    .filter(({ $ }) => $?.['use'] !== 'encryption')
    .flatMap((key) => all(key, 'KeyInfo'))
    .flatMap((info) => all(info, 'X509Data'))
    .flatMap((data) => all(data, 'X509Certificate'))
    .map((certificate) => textOf(certificate).replaceAll(/\s/g, ''))
  const idpCertificates = [...new Set(certificates)].filter((text) => text !== '')
  if (idpCertificates.length === 0) return refused('it has no signing certificate')
  return { outcome: 'metadata', metadata: { idpEntityId, idpSsoUrl, idpCertificates } }
}

async function parse(xml: string): Promise<object> {
  try {
    return await parseXml(xml)
  } catch {
    return {}
  }
}

function refused(reason: string): SamlTaskResult {
  return { outcome: 'refused', reason }
}
