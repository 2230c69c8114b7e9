/**
 * Checks what an admin gives of a SAML identity provider, by its fields or as its metadata, and
 * makes of it what a connection keeps.
 */
import { X509Certificate } from 'node:crypto'
import type { CreateSsoConnection, UpdateSsoConnection } from '@posthorn/contracts/sso'
import { badField } from '@posthorn/http/errors'
import type { StoredSaml } from '../connection-record.ts'

export interface GivenSaml {
  tenantId: string
  saml: CreateSsoConnection['saml'] | UpdateSsoConnection['saml']
  idpMetadata: string | undefined
  /** What the connection has kept so far: fields that are not given stay. */
  before: StoredSaml | null
}

export type CheckSamlConfig = (given: GivenSaml) => Promise<StoredSaml>

type ReadSamlMetadata = (
  tenantId: string,
  xml: string,
) => Promise<
  | { outcome: 'metadata'; metadata: Omit<StoredSaml, 'wantResponseSigned'> }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'busy' }
>

export function createCheckSamlConfig(deps: {
  /** Undefined: this installation reads no metadata, and the fields must be given. */
  readMetadata?: ReadSamlMetadata
}): CheckSamlConfig {
  return async ({ tenantId, saml, idpMetadata, before }) => {
    const read = idpMetadata === undefined ? {} : await readGiven(deps, tenantId, idpMetadata)
    const { idpEntityId, idpSsoUrl, idpCertificates, wantResponseSigned } = {
      wantResponseSigned: false,
      ...before,
      ...read,
      ...withoutUndefined(saml ?? {}),
    } as StoredSaml
    if (URL.parse(idpSsoUrl)?.protocol !== 'https:') {
      throw badField('saml.idpSsoUrl', 'must be an https URL')
    }
    for (const [index, text] of idpCertificates.entries()) {
      if (!isCertificate(text)) throw badField(`saml.idpCertificates.${index}`, 'is no certificate')
    }
    return { idpEntityId, idpSsoUrl, idpCertificates, wantResponseSigned }
  }
}

async function readGiven(
  { readMetadata }: { readMetadata?: ReadSamlMetadata },
  tenantId: string,
  xml: string,
): Promise<Partial<StoredSaml>> {
  if (readMetadata === undefined) throw badField('idpMetadata', 'is not read here: give saml')
  const result = await readMetadata(tenantId, xml)
  if (result.outcome === 'metadata') return result.metadata
  const reason = result.outcome === 'refused' ? result.reason : 'could not be read in time'
  throw badField('idpMetadata', reason)
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** PEM, or what stands between its lines. */
function isCertificate(text: string): boolean {
  const pem = text.includes('-----BEGIN')
    ? text
    : `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`
  try {
    return new X509Certificate(pem).publicKey.asymmetricKeyType !== undefined
  } catch {
    return false
  }
}
