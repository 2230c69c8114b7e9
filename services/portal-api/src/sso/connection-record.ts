/** A connection as the API shows it, and where its pages are. */
import type { AuditChange } from '@posthorn/contracts/audit'
import type { SsoConnection } from '@posthorn/contracts/sso'
import { changesOf } from '@posthorn/store/audit/changes-of'
import type { SsoConnection as Row } from '@posthorn/store/generated/client'
import { type SealedPlace, sealedAt } from '@posthorn/store/seal'

/** What `config` holds of a connection by OIDC. */
export interface StoredOidc {
  issuer: string
  clientId: string
}

/** What `config` holds of a connection by SAML. */
export interface StoredSaml {
  idpEntityId: string
  idpSsoUrl: string
  idpCertificates: string[]
  wantResponseSigned: boolean
}

export function clientSecretPlace(row: Pick<Row, 'tenantId' | 'id'>): SealedPlace {
  return sealedAt('sso_connections.client_secret', row.tenantId, row.id)
}

/** The redirect URI of a provider, as it is registered there. */
export function callbackUrl(publicUrl: string, provider: string): string {
  return `${publicUrl}/auth/sso/${provider}/callback`
}

export interface SamlUrls {
  loginUrl: string
  spEntityId: string
  acsUrl: string
  metadataUrl: string
}

/** The entity id is the metadata's URL. */
export function samlUrls(
  publicUrl: string,
  { tenantId, slug }: Pick<Row, 'tenantId' | 'slug'>,
): SamlUrls {
  const base = `${publicUrl}/auth/sso/saml/${tenantId}/${slug}`
  const metadataUrl = `${base}/metadata`
  return { loginUrl: `${base}/login`, spEntityId: metadataUrl, acsUrl: `${base}/acs`, metadataUrl }
}

/** Where somebody signs in by a connection. */
export function loginUrlOf(
  publicUrl: string,
  row: Pick<Row, 'id' | 'tenantId' | 'slug' | 'type'>,
): string {
  if (row.type === 'saml') return samlUrls(publicUrl, row).loginUrl
  return `${publicUrl}/auth/sso/${row.id}/login`
}

export function toConnection(publicUrl: string, row: Row): SsoConnection {
  const { loginUrl, ...own } = samlUrls(publicUrl, row)
  const isSaml = row.type === 'saml'
  const oidc = isSaml ? null : (row.config as unknown as StoredOidc)
  const saml = isSaml ? (row.config as unknown as StoredSaml) : null
  return {
    id: row.id,
    type: row.type as SsoConnection['type'],
    name: row.name,
    slug: row.slug,
    domains: row.domains,
    enforced: row.enforced,
    defaultRole: row.defaultRole as SsoConnection['defaultRole'],
    breakGlassUserId: row.breakGlassUserId,
    status: row.status as SsoConnection['status'],
    loginUrl: loginUrlOf(publicUrl, row),
    oidc: oidc === null ? null : { ...oidc, callbackUrl: callbackUrl(publicUrl, row.id) },
    saml: saml === null ? null : { ...saml, ...own },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** What an audit row tells of a change: of a secret only that there is another one. */
export function connectionChanges(
  publicUrl: string,
  before: Row | null,
  after: Row,
): AuditChange[] {
  const was = before === null ? null : toConnection(publicUrl, before)
  const secret = (before ?? after).clientSecret === after.clientSecret ? null : 'changed'
  return [
    ...changesOf(was, toConnection(publicUrl, after)),
    ...(secret === null ? [] : [{ field: 'clientSecret', from: null, to: secret }]),
  ]
}
