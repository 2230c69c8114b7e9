/**
 * Microsoft Entra's own rules. One address of it serves every customer of Microsoft, and whoever
 * administers any of them can write what they like into a user's e-mail address: only the tenant
 * and the object id name a person, and the address proves something only where it is known whose
 * tenant it is.
 */

const HOSTS = new Set([
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
  'login.windows.net',
  'sts.windows.net',
])
const TENANT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function isEntra(issuer: string): boolean {
  return HOSTS.has(URL.parse(issuer)?.hostname ?? '')
}

/** The tenant that an issuer names; null: it speaks for more than one. */
export function entraTenantOf(issuer: string): string | null {
  const [, first = ''] = (URL.parse(issuer)?.pathname ?? '').split('/')
  const tenant = first.toLowerCase()
  return TENANT_ID.test(tenant) ? tenant : null
}

/**
 * Who a token's claims name. `tid` must be the tenant that the issuer names, if it names one.
 * @throws when they name nobody
 */
export function entraSubject(claims: Readonly<Record<string, unknown>>, issuer: string): string {
  const { tid, oid } = claims
  if (typeof tid !== 'string' || typeof oid !== 'string') {
    throw new Error('the ID token names no tenant and object: tid and oid')
  }
  const tenant = entraTenantOf(issuer)
  if (tenant !== null && tid.toLowerCase() !== tenant) {
    throw new Error("the ID token is another tenant's")
  }
  return `${tid.toLowerCase()}:${oid.toLowerCase()}`
}
