/**
 * Bodies and answers of single sign-on: the providers of the installation, a workspace's own
 * connections and its domains.
 */
import { ROLES } from '@posthorn/domain/roles'
import { z } from 'zod'
import { DestinationUrl, exactlyOneOf, PageQuery, pageOf, textOf } from './fields.ts'

export const SsoProviderList = z.object({
  providers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      loginUrl: z.string().describe('where the sign-in button leads'),
    }),
  ),
})

/** What cannot be a path of ours is dropped, not refused: a browser is on its way. */
export const SsoLoginQuery = z.object({
  return: z.string().optional().describe('a path of this installation to go to afterwards'),
})

export const SsoCallbackQuery = z.object({
  state: z.string().optional(),
  code: z.string().optional(),
  iss: z.string().optional(),
  error: z.string().optional(),
})

export const SsoDiscoverQuery = z.object({ email: z.string().min(3).max(254) })
export const SsoMethod = z.object({
  method: z.enum(['password', 'oauth', 'saml']),
  redirectUrl: z.string().optional().describe('absent with `password`'),
})

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** In lower case, as looked up: letters of other scripts in Punycode. */
export const DomainName = z
  .string()
  .max(253)
  .transform((text) => text.toLowerCase())
  .refine(
    (text) => new RegExp(`^(?:${LABEL}\\.)+${LABEL}$`).test(text) && !/\.\d+$/.test(text),
    'must be a domain name such as example.com',
  )
  .meta({
    override: { type: 'string', pattern: `^(?:${anyCase(LABEL)}\\.)+${anyCase(LABEL)}$` },
  })

function anyCase(pattern: string): string {
  return pattern.replaceAll('a-z0-9', 'A-Za-z0-9')
}

const MAX_DOMAINS = 50
const MAX_METADATA_BYTES = 256 * 1024

const domains = z.array(DomainName).max(MAX_DOMAINS)
const status = z.enum(['active', 'inactive'])
const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be lower-case letters, digits and hyphens')

const OidcInput = z.strictObject({
  issuer: DestinationUrl,
  clientId: textOf(1, 512),
  clientSecret: textOf(1, 2_048).describe('never shown again'),
})

const SamlInput = z.strictObject({
  idpEntityId: textOf(1, 1_024),
  idpSsoUrl: DestinationUrl,
  idpCertificates: z.array(z.string().min(1).max(16_384)).min(1).max(10).describe('X.509, in PEM'),
  wantResponseSigned: z
    .boolean()
    .optional()
    .describe('refuse a response in which only the assertion is signed; default: false'),
})

const common = {
  name: textOf(1, 100),
  slug,
  domains,
  enforced: z.boolean().describe("refuse passwords for its domains' addresses"),
  defaultRole: z.enum(ROLES).describe('of members who come by it for the first time'),
  breakGlassUserId: z
    .uuid()
    .describe('the one admin whose password goes on being taken while it is enforced'),
  status,
}
const idpMetadata = z
  .string()
  .min(1)
  .max(MAX_METADATA_BYTES)
  .describe("the identity provider's metadata in XML, instead of `saml`")

export const CreateSsoConnection = z
  .strictObject({
    ...z.strictObject(common).partial().shape,
    type: z.enum(['oidc', 'saml']),
    name: common.name,
    oidc: OidcInput.optional(),
    saml: SamlInput.optional(),
    idpMetadata: idpMetadata.optional(),
  })
  .superRefine((body, context) => {
    const given = (['oidc', 'saml', 'idpMetadata'] as const).filter((key) => key in body)
    const wanted = body.type === 'oidc' ? ['oidc'] : ['saml', 'idpMetadata']
    const [only] = given
    if (given.length === 1 && only !== undefined && wanted.includes(only)) return
    const message = `a connection of type ${body.type} needs ${wanted.join(' or ')}, and nothing of the others`
    context.addIssue({ code: 'custom', message, path: [wanted[0] as string] })
  })
  .meta({ also: exactlyOneOf(['oidc'], ['saml'], ['idpMetadata']) })
export type CreateSsoConnection = z.infer<typeof CreateSsoConnection>

/** `oidc` and `saml` may be given in part; what is not given stays. */
export const UpdateSsoConnection = z
  .strictObject({
    ...common,
    breakGlassUserId: common.breakGlassUserId.nullable(),
    oidc: OidcInput.partial(),
    saml: SamlInput.partial(),
    idpMetadata,
  })
  .partial()
export type UpdateSsoConnection = z.infer<typeof UpdateSsoConnection>

export const SsoConnection = z.object({
  id: z.string(),
  type: z.enum(['oidc', 'saml']),
  name: z.string(),
  slug: z.string(),
  domains: z.array(z.string()),
  enforced: z.boolean(),
  defaultRole: z.enum(ROLES),
  breakGlassUserId: z.string().nullable(),
  status,
  loginUrl: z.string(),
  oidc: z
    .object({
      issuer: z.string(),
      clientId: z.string(),
      callbackUrl: z.string().describe('the redirect URI to register at the provider'),
    })
    .nullable(),
  saml: z
    .object({
      idpEntityId: z.string(),
      idpSsoUrl: z.string(),
      idpCertificates: z.array(z.string()),
      wantResponseSigned: z.boolean(),
      spEntityId: z.string(),
      acsUrl: z.string(),
      metadataUrl: z.string(),
    })
    .nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type SsoConnection = z.infer<typeof SsoConnection>
export const SsoConnectionPage = pageOf(SsoConnection)

export const CreateSsoDomain = z.strictObject({ domain: DomainName })
export const SsoDomain = z.object({
  id: z.string(),
  domain: z.string(),
  status: z.enum(['pending', 'verified']),
  txtRecord: z.string().describe('the text of a TXT record of the domain itself'),
  createdAt: z.string(),
  verifiedAt: z.string().nullable(),
})
export type SsoDomain = z.infer<typeof SsoDomain>
export const SsoDomainPage = pageOf(SsoDomain)
export const SsoListQuery = PageQuery
