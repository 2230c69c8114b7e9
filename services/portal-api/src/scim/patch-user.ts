/**
 * Applies SCIM's PATCH to a user, in the shapes in which Okta and Entra send it. Only attributes of
 * the closed set are ever set, each by its own branch, so no path that is sent becomes a key of an
 * object. What is not known is ignored; a path that can't be one is refused.
 */
import { type FilterComparison, parseFilter, withoutSchema } from './parse-filter.ts'
import { refuseDangerousName, scimRefusal } from './scim-refusals.ts'
import {
  EMAIL_PARTS,
  MAX_EMAILS,
  NAME_PARTS,
  readBoolean,
  readEmailPart,
  readEmailParts,
  readEmails,
  readName,
  readText,
  type ScimAttributes,
  type ScimEmail,
  type ScimEmailPart,
  type ScimNamePart,
  TEXT_ATTRIBUTES,
  withOnePrimary,
  withoutEmpty,
} from './user-attributes.ts'

type PatchVerb = 'add' | 'replace' | 'remove'

type PatchTarget =
  | { of: 'text'; attribute: (typeof TEXT_ATTRIBUTES)[number] }
  | { of: 'active' }
  | { of: 'name'; part: ScimNamePart | null }
  | { of: 'emails'; filter: FilterComparison[] | null; part: ScimEmailPart | null }
  | { of: 'nothing' }

const MAX_OPERATIONS = 100
const MAX_PATH = 512
const PATH = /^([a-z$][\w$-]*)(?:\[([^\]]*)\])?(?:\.([a-z$][\w$-]*))?$/i
const NOTHING: PatchTarget = { of: 'nothing' }

export function patchUser(
  user: ScimAttributes,
  body: Readonly<Record<string, unknown>>,
): ScimAttributes {
  const operations = fieldOf(body, 'operations')
  if (!Array.isArray(operations) || operations.length === 0)
    throw scimRefusal('invalidSyntax', 'Operations must be a list of one operation or more')
  if (operations.length > MAX_OPERATIONS)
    throw scimRefusal('invalidSyntax', `Operations has at most ${MAX_OPERATIONS} entries`)
  let patched = user
  for (const operation of operations as readonly unknown[])
    patched = applyOperation(patched, operation)
  return withoutEmpty(patched)
}

function applyOperation(user: ScimAttributes, operation: unknown): ScimAttributes {
  if (typeof operation !== 'object' || operation === null)
    throw scimRefusal('invalidSyntax', 'an operation is an object')
  const verb = toVerb(fieldOf(operation, 'op'))
  const path = fieldOf(operation, 'path')
  const value = fieldOf(operation, 'value')
  if (path !== undefined && path !== null) {
    if (typeof path !== 'string') throw scimRefusal('invalidPath', 'a path is a text')
    return apply(user, verb, path, value)
  }
  if (verb === 'remove') throw scimRefusal('noTarget', 'remove needs a path')
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw scimRefusal('invalidValue', 'without a path, the value is an object of attributes')
  // Keys may be paths of their own: Entra sends "name.givenName".
  return Object.entries(value).reduce((patched, [key, one]) => apply(patched, verb, key, one), user)
}

/** A member of an operation, whose name Entra and Okta write in different cases. */
function fieldOf(object: object, name: string): unknown {
  return Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1]
}

function toVerb(op: unknown): PatchVerb {
  const verb = typeof op === 'string' ? op.toLowerCase() : ''
  if (verb === 'add' || verb === 'replace' || verb === 'remove') return verb
  throw scimRefusal('invalidSyntax', 'op must be add, replace or remove')
}

function apply(
  user: ScimAttributes,
  given: PatchVerb,
  path: string,
  value: unknown,
): ScimAttributes {
  const target = toTarget(path)
  // A value that is nothing takes the attribute away.
  const verb = value === null && given === 'replace' ? 'remove' : given
  if (target.of === 'nothing') return user
  if (target.of === 'active') {
    if (verb === 'remove') throw scimRefusal('invalidValue', 'active is true or false')
    return { ...user, active: readBoolean('active', value) }
  }
  if (target.of === 'text') return patchText(user, verb, target.attribute, value)
  if (target.of === 'name') return { ...user, name: patchName(user, verb, target.part, value) }
  const emails = withOnePrimary(patchEmails(user.emails ?? [], verb, target, value))
  if (emails.length > MAX_EMAILS)
    throw scimRefusal('invalidValue', `emails has at most ${MAX_EMAILS} entries`)
  return { ...user, emails }
}

function toTarget(path: string): PatchTarget {
  if (path.length > MAX_PATH) throw scimRefusal('invalidPath', 'the path is too long')
  refuseDangerousName(path)
  const short = withoutSchema(path.trim())
  // The enterprise extension and others are not kept.
  if (/^urn:/i.test(short)) return NOTHING
  const [whole, attribute = '', filter, part] = PATH.exec(short) ?? []
  if (whole === undefined) throw scimRefusal('invalidPath', 'the path is not one')
  const name = attribute.toLowerCase()
  if (name === 'id') throw scimRefusal('mutability', 'id is read only')
  if (name === 'emails') {
    const parsed = filter === undefined ? null : parseEmailFilter(filter)
    if (part === undefined) return { of: 'emails', filter: parsed, part: null }
    const known = EMAIL_PARTS.find((one) => one.toLowerCase() === part.toLowerCase())
    return known === undefined ? NOTHING : { of: 'emails', filter: parsed, part: known }
  }
  if (name === 'name' && filter === undefined) {
    if (part === undefined) return { of: 'name', part: null }
    const known = NAME_PARTS.find((one) => one.toLowerCase() === part.toLowerCase())
    return known === undefined ? NOTHING : { of: 'name', part: known }
  }
  const text = TEXT_ATTRIBUTES.find((one) => one.toLowerCase() === name)
  if (text === undefined && name !== 'active' && name !== 'name') return NOTHING
  if (filter !== undefined || part !== undefined)
    throw scimRefusal('invalidPath', `${attribute} has no parts`)
  return text === undefined ? { of: 'active' } : { of: 'text', attribute: text }
}

function parseEmailFilter(filter: string): FilterComparison[] {
  const parsed = parseFilter(filter)
  const unknown = parsed.find(
    ({ attribute }) => !EMAIL_PARTS.some((part) => part.toLowerCase() === attribute),
  )
  if (unknown === undefined) return parsed
  throw scimRefusal('invalidFilter', `emails have no ${unknown.attribute}`)
}

function patchText(
  user: ScimAttributes,
  verb: PatchVerb,
  attribute: (typeof TEXT_ATTRIBUTES)[number],
  value: unknown,
): ScimAttributes {
  if (verb !== 'remove') return { ...user, [attribute]: readText(attribute, value) }
  if (attribute === 'userName') throw scimRefusal('invalidValue', 'userName is required')
  const { [attribute]: _removed, ...rest } = user
  return rest
}

function patchName(
  { name = {} }: ScimAttributes,
  verb: PatchVerb,
  part: ScimNamePart | null,
  value: unknown,
): NonNullable<ScimAttributes['name']> {
  if (part === null) return verb === 'remove' ? {} : { ...name, ...readName(value) }
  if (verb !== 'remove') return { ...name, [part]: readText(`name.${part}`, value) }
  const { [part]: _removed, ...rest } = name
  return rest
}

function patchEmails(
  emails: readonly ScimEmail[],
  verb: PatchVerb,
  { filter, part }: Extract<PatchTarget, { of: 'emails' }>,
  value: unknown,
): ScimEmail[] {
  if (filter === null && part === null) return patchAllEmails(emails, verb, value)
  const isMeant = meantBy(emails, filter)
  if (verb === 'remove') {
    if (part === null || part === 'value') return emails.filter((email) => !isMeant(email))
    return emails.map((email) => (isMeant(email) ? withoutPart(email, part) : email))
  }
  const change = part === null ? readEmailParts(value) : readEmailPart(part, value)
  const isNewPrimary = change.primary === true
  if (emails.some(isMeant)) {
    return emails.map((email) =>
      isMeant(email)
        ? { ...email, ...change }
        : isNewPrimary
          ? { ...email, primary: false }
          : email,
    )
  }
  // Entra adds and replaces an address that is not there yet.
  const made: Partial<ScimEmail> = { ...partsOfFilter(filter ?? []), ...change }
  if (made.value === undefined) throw scimRefusal('noTarget', 'there is no such address')
  return [...emails, { ...made, value: made.value }]
}

function patchAllEmails(
  emails: readonly ScimEmail[],
  verb: PatchVerb,
  value: unknown,
): ScimEmail[] {
  if (verb === 'remove') return []
  const given = readEmails(value)
  if (verb === 'replace') return given
  const others = emails.filter((email) => !given.some((one) => isSameAddress(one, email)))
  return [...others, ...given]
}

function isSameAddress(one: ScimEmail, other: ScimEmail): boolean {
  return one.value.toLowerCase() === other.value.toLowerCase()
}

/** Without a filter, a part of `emails` is meant of the one address that is used. */
function meantBy(
  emails: readonly ScimEmail[],
  filter: readonly FilterComparison[] | null,
): (email: ScimEmail) => boolean {
  const used = emails.find(({ primary }) => primary === true) ?? emails[0]
  if (filter === null) return (email) => email === used
  return (email) =>
    filter.every(({ attribute, value }) => {
      const part = EMAIL_PARTS.find((one) => one.toLowerCase() === attribute)
      const own = part === undefined ? undefined : email[part]
      return String(own).toLowerCase() === String(value).toLowerCase()
    })
}

function partsOfFilter(filter: readonly FilterComparison[]): Partial<ScimEmail> {
  return readEmailParts(
    Object.fromEntries(filter.map(({ attribute, value }) => [attribute, value])),
  )
}

function withoutPart(email: ScimEmail, part: Exclude<ScimEmailPart, 'value'>): ScimEmail {
  const { [part]: _removed, ...rest } = email
  return rest
}
