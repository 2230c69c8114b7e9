/** The routes of SAML 2.0, which browsers and identity providers call. */
import { z } from 'zod'
import { anyone } from './access.ts'
import { entry } from './route.ts'
import { SsoLoginQuery } from './sso.ts'

/** A response with 500 groups has 40 KB. */
const MAX_BODY_BYTES = 64 * 1024
const BASE = '/auth/sso/saml/:clientID/:slug'
const params = { slug: 'text' } as const

/** What does not fit ends on our login page: a browser is on its way. */
export const SamlForm = z.looseObject({
  SAMLResponse: z.string().optional().describe('in base64'),
  RelayState: z.string().optional().describe('as the sign-in began with it'),
})

export const samlRoutes = {
  startSamlLogin: entry({
    method: 'GET',
    path: `${BASE}/login`,
    service: 'portal-api',
    access: anyone(),
    params,
    summary: "Sign in with a workspace's identity provider by SAML",
    status: 303,
    query: SsoLoginQuery,
    errors: ['RATE_LIMITED'],
  }),
  getSamlMetadata: entry({
    method: 'GET',
    path: `${BASE}/metadata`,
    service: 'portal-api',
    access: anyone(),
    params,
    summary: 'What an identity provider needs to know of us',
    status: 200,
    produces: 'xml',
  }),
  finishSamlLogin: entry({
    method: 'POST',
    path: `${BASE}/acs`,
    service: 'portal-api',
    // The form comes from the identity provider's page.
    access: anyone({ crossSite: true }),
    params,
    // The log of sign-ins has it.
    audit: null,
    summary: "Where the identity provider's page sends the browser back to",
    status: 303,
    consumes: 'form',
    body: SamlForm,
    maxBodyBytes: MAX_BODY_BYTES,
    errors: ['RATE_LIMITED'],
    example: { SAMLResponse: 'PHNhbWxwOlJlc3BvbnNlLz4=', RelayState: 'as-it-was-sent' },
  }),
}
