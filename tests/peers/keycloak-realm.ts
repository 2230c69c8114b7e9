/**
 * What Keycloak has to know for these checks: a realm, its people, and us as a client of each kind.
 */

export const REALM = 'peers'
/** Everybody's at Keycloak. */
export const PASSWORD = 'correct horse battery'

/** A realm whose people have passwords, and need nothing but these. */
export function realmOf(emails: readonly { email: string; verified: boolean }[]): object {
  return {
    realm: REALM,
    enabled: true,
    sslRequired: 'none',
    verifyEmail: false,
    users: emails.map(({ email, verified }) => ({
      username: email,
      email,
      emailVerified: verified,
      enabled: true,
      // Without both names Keycloak asks for them after the first sign-in.
      firstName: 'Ada',
      lastName: 'Byron',
      credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
    })),
  }
}

export function oidcClient(of: { clientId: string; secret: string; callbackUrl: string }): object {
  return {
    protocol: 'openid-connect',
    clientId: of.clientId,
    secret: of.secret,
    publicClient: false,
    standardFlowEnabled: true,
    directAccessGrantsEnabled: false,
    redirectUris: [of.callbackUrl],
    attributes: { 'pkce.code.challenge.method': 'S256' },
  }
}

/** It signs assertions only, which is the least that we accept. */
export function samlClient({ spEntityId, acsUrl }: { spEntityId: string; acsUrl: string }): object {
  return {
    protocol: 'saml',
    clientId: spEntityId,
    redirectUris: [acsUrl],
    attributes: {
      'saml.assertion.signature': 'true',
      'saml.server.signature': 'false',
      'saml.client.signature': 'false',
      'saml.signature.algorithm': 'RSA_SHA256',
      'saml.authnstatement': 'true',
      'saml.force.post.binding': 'true',
      saml_assertion_consumer_url_post: acsUrl,
      saml_force_name_id_format: 'true',
      saml_name_id_format: 'email',
    },
  }
}
