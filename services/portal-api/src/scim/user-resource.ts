/**
 * A member as SCIM shows one. What an identity provider has sent is shown as it was sent; of a
 * member who came in another way there is the address and the name.
 */
import { CORE_USER, withoutSchema } from './parse-filter.ts'
import { scimRefusal } from './scim-refusals.ts'
import { addressOf, type ScimAttributes, withoutEmpty } from './user-attributes.ts'

const USERS_PATH = '/scim/v2/Users'
const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export interface ScimMember {
  /** The user's id. */
  id: string
  email: string
  name: string
  active: boolean
  scimExternalId: string | null
  /** What `storedAttributes` returned; null: the member did not come by SCIM. */
  scimAttributes: unknown
  createdAt: Date
  updatedAt: Date
}

export interface ScimUserResource extends ScimAttributes {
  schemas: string[]
  id: string
  meta: { resourceType: 'User'; created: string; lastModified: string; location: string }
}

/** What is kept beside the user's own columns. */
export type StoredAttributes = Omit<ScimAttributes, 'active' | 'externalId'>

export function storedAttributes(user: ScimAttributes): StoredAttributes {
  const { active: _active, externalId: _externalId, ...stored } = withoutEmpty(user)
  return stored
}

/** The attributes that a PATCH begins with. */
export function attributesOf(member: ScimMember): ScimAttributes {
  const { email, name, active, scimExternalId, scimAttributes } = member
  const shown = {
    displayName: name,
    userName: email,
    emails: [{ value: email, type: 'work', primary: true }],
  }
  const { displayName, ...own } = shown
  const stored = scimAttributes as StoredAttributes | null
  return {
    ...(stored ?? (name === '' ? own : { ...own, displayName })),
    active,
    ...(scimExternalId === null ? {} : { externalId: scimExternalId }),
  }
}

export function toResource(member: ScimMember, publicUrl: string): ScimUserResource {
  return {
    schemas: [CORE_USER],
    id: member.id,
    ...attributesOf(member),
    meta: {
      resourceType: 'User',
      created: member.createdAt.toISOString(),
      lastModified: member.updatedAt.toISOString(),
      location: `${publicUrl}${USERS_PATH}/${member.id}`,
    },
  }
}

/** The address to sign in with, without which nobody can be made a member. */
export function requiredAddress(user: ScimAttributes): string {
  const address = addressOf(user)
  if (address !== null) return address
  throw scimRefusal('invalidValue', 'userName or the primary of emails must be an e-mail address')
}

export interface ShownAttributes {
  attributes?: string | undefined
  excludedAttributes?: string | undefined
}

const ALWAYS = new Set(['schemas', 'id'])

/** Leaves out what was not asked for; a part of an attribute is named `name.givenName`. */
export function project(
  resource: ScimUserResource,
  { attributes, excludedAttributes }: ShownAttributes,
): object {
  const only = namesIn(attributes)
  const without = namesIn(excludedAttributes)
  if (only.size === 0 && without.size === 0) return resource
  const shows = (name: string, ...parents: string[]): boolean =>
    only.size > 0
      ? [name, ...parents].some((one) => only.has(one)) || isParentOfAny(name, only)
      : !without.has(name)
  const shown = Object.entries(resource).flatMap(([key, value]): [string, unknown][] => {
    const name = key.toLowerCase()
    if (ALWAYS.has(name)) return [[key, value]]
    if (!shows(name)) return []
    const part = (object: object): object =>
      Object.fromEntries(
        Object.entries(object).filter(([inner]) => shows(`${name}.${inner.toLowerCase()}`, name)),
      )
    if (Array.isArray(value)) return [[key, (value as object[]).map(part)]]
    return [[key, typeof value === 'object' && value !== null ? part(value as object) : value]]
  })
  return Object.fromEntries(shown)
}

function isParentOfAny(name: string, names: ReadonlySet<string>): boolean {
  return [...names].some((one) => one.startsWith(`${name}.`))
}

const MAX_NAMES = 50

function namesIn(list: string | undefined): ReadonlySet<string> {
  const names = (list ?? '').split(',', MAX_NAMES).map((name) => name.trim())
  return new Set(
    names.filter((name) => name !== '').map((name) => withoutSchema(name).toLowerCase()),
  )
}

/** A page of users: `total` counts all that match. */
export function toList(
  resources: readonly object[],
  { total, startIndex }: { total: number; startIndex: number },
): object {
  return {
    schemas: [LIST_RESPONSE],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}
