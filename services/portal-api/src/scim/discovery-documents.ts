/**
 * What SCIM clients read to learn what is served: exactly the attributes that are stored, and
 * nothing that would be dropped. `emails` and `active` are called required, because a user always
 * has both; one that is created without them gets them.
 */
import { CORE_USER, withoutSchema } from './parse-filter.ts'
import { toList } from './user-resource.ts'
import { NAME_PARTS } from './user-attributes.ts'

const SCHEMAS = 'urn:ietf:params:scim:schemas:core:2.0'

export const MAX_RESULTS = 200

interface SchemaAttribute {
  name: string
  type: 'string' | 'boolean' | 'complex'
  description: string
  required?: true
  uniqueness?: 'server'
  multiValued?: true
  subAttributes?: object[]
}

function attribute({ name, type, description, ...more }: SchemaAttribute): object {
  return {
    name,
    type,
    multiValued: more.multiValued === true,
    description,
    required: more.required === true,
    ...(type === 'string' ? { caseExact: name === 'externalId' } : {}),
    mutability: 'readWrite',
    returned: 'default',
    ...(type === 'string' ? { uniqueness: more.uniqueness ?? 'none' } : {}),
    ...(more.subAttributes === undefined ? {} : { subAttributes: more.subAttributes }),
  }
}

function text(name: string, description: string, more: Partial<SchemaAttribute> = {}): object {
  return attribute({ name, type: 'string', description, ...more })
}

function location(publicUrl: string, path: string): string {
  return `${publicUrl}/scim/v2/${path}`
}

export function serviceProviderConfig(publicUrl: string): object {
  return {
    schemas: [`${SCHEMAS}:ServiceProviderConfig`],
    documentationUri: `${publicUrl}/docs`,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token that an admin of the workspace has made',
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: location(publicUrl, 'ServiceProviderConfig'),
    },
  }
}

function userResourceType(publicUrl: string): object {
  return {
    schemas: [`${SCHEMAS}:ResourceType`],
    id: 'User',
    name: 'User',
    description: 'A member of the workspace',
    endpoint: '/Users',
    schema: CORE_USER,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: location(publicUrl, 'ResourceTypes/User') },
  }
}

function userSchema(publicUrl: string): object {
  return {
    schemas: [`${SCHEMAS}:Schema`],
    id: CORE_USER,
    name: 'User',
    description: 'A member of the workspace',
    attributes: [
      text('userName', 'Unique in the workspace, compared without regard to case', {
        required: true,
        uniqueness: 'server',
      }),
      text('externalId', 'The id that the identity provider has for the user'),
      text('displayName', 'The name to show'),
      attribute({
        name: 'name',
        type: 'complex',
        description: 'The parts of the name',
        subAttributes: NAME_PARTS.map((part) => text(part, `The part ${part} of the name`)),
      }),
      attribute({
        name: 'emails',
        type: 'complex',
        description: 'Addresses; the user signs in with the primary one',
        multiValued: true,
        required: true,
        subAttributes: [
          text('value', 'The address', { required: true }),
          text('type', 'What the address is for, such as work'),
          text('display', 'The address as it is shown'),
          attribute({ name: 'primary', type: 'boolean', description: 'Whether it is the primary' }),
        ],
      }),
      attribute({
        name: 'active',
        type: 'boolean',
        description: 'Whether the member may sign in',
        required: true,
      }),
    ],
    meta: { resourceType: 'Schema', location: location(publicUrl, `Schemas/${CORE_USER}`) },
  }
}

export function resourceTypes(publicUrl: string): object {
  return toList([userResourceType(publicUrl)], { total: 1, startIndex: 1 })
}

/** null: there is no such type. */
export function resourceType(publicUrl: string, id: string): object | null {
  return id === 'User' ? userResourceType(publicUrl) : null
}

export function schemas(publicUrl: string): object {
  return toList([userSchema(publicUrl)], { total: 1, startIndex: 1 })
}

/** null: there is no such schema. */
export function schema(publicUrl: string, id: string): object | null {
  return withoutSchema(`${id}:`) === '' ? userSchema(publicUrl) : null
}
