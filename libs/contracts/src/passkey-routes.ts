/** The routes of passkeys: to add them, to sign in with one, and as a second factor. */
import { anyone, signedIn } from './access.ts'
import { LoggedIn } from './auth.ts'
import * as passkeys from './passkeys.ts'
import { entry } from './route.ts'

const maxBodyBytes = 32 * 1024
const SIGNED = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'
const CREDENTIAL = { id: 'AQIDBAUGBwg', rawId: 'AQIDBAUGBwg', type: 'public-key' }
const ATTESTATION = {
  ...CREDENTIAL,
  response: { clientDataJSON: SIGNED, attestationObject: 'o2NmbXRkbm9uZQ' },
}
const ASSERTION = {
  ...CREDENTIAL,
  response: {
    clientDataJSON: SIGNED,
    authenticatorData: 'SZYN5YgOjGh0NBcP',
    signature: 'MEUCIQDx',
  },
}

export const passkeyRoutes = {
  passkeyCreationOptions: entry({
    method: 'POST',
    path: '/auth/passkeys/options',
    service: 'portal-api',
    access: signedIn({ personal: true }),
    // It changes nothing.
    audit: null,
    summary: 'Get what a browser needs to make a passkey',
    status: 200,
    answer: passkeys.PasskeyCreationOptions,
    errors: ['INVALID_STATE'],
  }),
  registerPasskey: entry({
    method: 'POST',
    path: '/auth/passkeys',
    service: 'portal-api',
    access: signedIn({ personal: true }),
    // The log of sign-ins has it.
    audit: null,
    summary: 'Add the passkey that a browser has made',
    status: 201,
    body: passkeys.RegisterPasskey,
    answer: passkeys.Passkey,
    maxBodyBytes,
    errors: ['CONFLICT', 'INVALID_STATE', 'INVALID_TOKEN'],
    example: { name: 'Laptop', response: ATTESTATION },
  }),
  listPasskeys: entry({
    method: 'GET',
    path: '/auth/passkeys',
    service: 'portal-api',
    access: signedIn({ personal: true }),
    summary: "List one's passkeys, newest first",
    status: 200,
    answer: passkeys.PasskeyList,
  }),
  deletePasskey: entry({
    method: 'DELETE',
    path: '/auth/passkeys/:id',
    service: 'portal-api',
    access: signedIn({ personal: true }),
    // The log of sign-ins has it.
    audit: null,
    summary: "Remove one of one's passkeys",
    status: 204,
  }),
  passkeyLoginOptions: entry({
    method: 'POST',
    path: '/auth/passkeys/login/options',
    service: 'portal-api',
    access: anyone(),
    // It changes nothing.
    audit: null,
    summary: 'Get what a browser needs to sign in with a passkey',
    status: 200,
    answer: passkeys.PasskeyRequestOptions,
    errors: ['RATE_LIMITED'],
  }),
  passkeyLogin: entry({
    method: 'POST',
    path: '/auth/passkeys/login',
    service: 'portal-api',
    access: anyone(),
    // The log of sign-ins has it.
    audit: null,
    summary: 'Sign in with a passkey; no password and no second factor is asked for',
    status: 200,
    body: passkeys.AssertPasskey,
    answer: LoggedIn,
    maxBodyBytes,
    errors: ['UNAUTHORIZED', 'SSO_REQUIRED'],
    example: { response: ASSERTION },
  }),
  mfaPasskeyOptions: entry({
    method: 'POST',
    path: '/auth/mfa/passkey/options',
    service: 'portal-api',
    access: anyone(),
    // It changes nothing.
    audit: null,
    summary: 'Get what a browser needs to end a login with a passkey as its second factor',
    status: 200,
    answer: passkeys.PasskeyRequestOptions,
    errors: ['INVALID_STATE', 'RATE_LIMITED'],
  }),
  mfaPasskeyVerify: entry({
    method: 'POST',
    path: '/auth/mfa/passkey/verify',
    service: 'portal-api',
    access: anyone(),
    // The log of sign-ins has it.
    audit: null,
    summary: 'End a login that waits for its second factor, by a passkey',
    status: 200,
    body: passkeys.AssertPasskey,
    answer: LoggedIn,
    maxBodyBytes,
    errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
    example: { response: ASSERTION },
  }),
}
