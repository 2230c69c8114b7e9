/** The routes of SCIM 2.0, which identity providers call, and those of their tokens. */
import { may, scimToken } from './access.ts'
import { API, entry } from './route.ts'
import * as scim from './scim.ts'

/** A user with all addresses and names has some 20 KB. */
const MAX_BODY_BYTES = 64 * 1024

const served = {
  service: 'portal-api',
  access: scimToken(),
  produces: 'scim',
  maxBodyBytes: MAX_BODY_BYTES,
} as const
/** Whoever may make tokens decides who is in the workspace. */
const READ = may('*', { feature: 'scim' })
const WRITE = may('*', { feature: 'scim', verifiedEmail: true })

const EXAMPLE_USER = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'ada@example.com',
  name: { givenName: 'Ada', familyName: 'Byron' },
  active: true,
}

export const scimRoutes = {
  getScimConfig: entry({
    ...served,
    method: 'GET',
    path: '/scim/v2/ServiceProviderConfig',
    summary: 'What of SCIM is served',
    status: 200,
    answer: scim.ScimDocument,
  }),
  listScimResourceTypes: entry({
    ...served,
    method: 'GET',
    path: '/scim/v2/ResourceTypes',
    summary: 'The types of resources',
    status: 200,
    answer: scim.ScimDocument,
  }),
  getScimResourceType: entry({
    ...served,
    method: 'GET',
    path: '/scim/v2/ResourceTypes/:id',
    params: { id: 'text' },
    summary: 'One type of resources',
    status: 200,
    answer: scim.ScimDocument,
  }),
  listScimSchemas: entry({
    ...served,
    method: 'GET',
    path: '/scim/v2/Schemas',
    summary: 'The attributes that are kept',
    status: 200,
    answer: scim.ScimDocument,
  }),
  getScimSchema: entry({
    ...served,
    method: 'GET',
    path: '/scim/v2/Schemas/:id',
    params: { id: 'text' },
    summary: 'The attributes of one schema',
    status: 200,
    answer: scim.ScimDocument,
  }),
  listScimUsers: entry({
    ...served,
    method: 'GET',
    path: '/scim/v2/Users',
    summary: "List the workspace's members",
    status: 200,
    query: scim.ScimListQuery,
    answer: scim.ScimDocument,
  }),
  searchScimUsers: entry({
    ...served,
    method: 'POST',
    path: '/scim/v2/.search',
    // It reads.
    audit: null,
    summary: 'List members, with the query in the body',
    status: 200,
    body: scim.ScimSearch,
    answer: scim.ScimDocument,
    example: { filter: 'userName eq "ada@example.com"' },
  }),
  createScimUser: entry({
    ...served,
    method: 'POST',
    path: '/scim/v2/Users',
    // The log of sign-ins has it.
    audit: null,
    summary: 'Make somebody a member',
    status: 201,
    body: scim.ScimUser,
    answer: scim.ScimDocument,
    errors: ['CONFLICT'],
    example: EXAMPLE_USER,
  }),
  getScimUser: entry({
    ...served,
    method: 'GET',
    path: '/scim/v2/Users/:id',
    summary: 'Read a member',
    status: 200,
    query: scim.ScimUserQuery,
    answer: scim.ScimDocument,
  }),
  replaceScimUser: entry({
    ...served,
    method: 'PUT',
    path: '/scim/v2/Users/:id',
    // The log of sign-ins has it.
    audit: null,
    summary: 'Replace what is kept of a member',
    status: 200,
    body: scim.ScimUser,
    answer: scim.ScimDocument,
    errors: ['CONFLICT', 'INVALID_STATE'],
    example: EXAMPLE_USER,
  }),
  patchScimUser: entry({
    ...served,
    method: 'PATCH',
    path: '/scim/v2/Users/:id',
    // The log of sign-ins has it.
    audit: null,
    summary: 'Change a member; with `active` false their sessions and keys end at once',
    status: 200,
    body: scim.ScimPatch,
    answer: scim.ScimDocument,
    errors: ['CONFLICT', 'INVALID_STATE'],
    example: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', value: { active: false } }],
    },
  }),
  deleteScimUser: entry({
    ...served,
    method: 'DELETE',
    path: '/scim/v2/Users/:id',
    // The log of sign-ins has it.
    audit: null,
    summary: 'Remove a member',
    status: 204,
    errors: ['CONFLICT', 'INVALID_STATE'],
  }),
  listScimGroups: entry({
    ...served,
    method: 'GET',
    path: '/scim/v2/Groups',
    summary: 'There are no groups: an empty list',
    status: 200,
    query: scim.ScimListQuery,
    answer: scim.ScimDocument,
  }),
  listScimTokens: entry({
    method: 'GET',
    path: `${API}/scim-tokens`,
    service: 'portal-api',
    access: READ,
    summary: 'List the tokens of provisioning, newest first',
    status: 200,
    query: scim.ScimTokenListQuery,
    answer: scim.ScimTokenPage,
  }),
  createScimToken: entry({
    method: 'POST',
    path: `${API}/scim-tokens`,
    service: 'portal-api',
    access: WRITE,
    audit: 'scim_token.create',
    summary: 'Make a token for an identity provider; it is shown this once',
    status: 201,
    body: scim.CreateScimToken,
    answer: scim.ScimTokenCreated,
    errors: ['INVALID_STATE'],
    example: { name: 'Okta' },
  }),
  deleteScimToken: entry({
    method: 'DELETE',
    path: `${API}/scim-tokens/:id`,
    service: 'portal-api',
    access: WRITE,
    audit: 'scim_token.revoke',
    summary: 'Revoke a token; in force everywhere within 2 seconds',
    status: 204,
  }),
}
