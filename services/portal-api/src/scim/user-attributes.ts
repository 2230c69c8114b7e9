/**
 * The attributes of a SCIM user that are stored, and how they are read from what an identity
 * provider sends. The set is closed: what it does not name is ignored, as SCIM allows, so that
 * nothing is advertised that is not kept. Names of attributes are compared without regard to case.
 */
import { EmailAddress } from '@posthorn/contracts/email-address'
import { refuseDangerousName, scimRefusal } from './scim-refusals.ts'

export const NAME_PARTS = [
  'formatted',
  'familyName',
  'givenName',
  'middleName',
  'honorificPrefix',
  'honorificSuffix',
] as const
export type ScimNamePart = (typeof NAME_PARTS)[number]
export type ScimName = Partial<Record<ScimNamePart, string>>

/** No interface, so that Prisma takes it as JSON. */
export type ScimEmail = {
  value: string
  type?: string
  display?: string
  primary?: boolean
}
export const EMAIL_PARTS = ['value', 'type', 'display', 'primary'] as const
export type ScimEmailPart = (typeof EMAIL_PARTS)[number]

export interface ScimAttributes {
  userName: string
  active: boolean
  externalId?: string
  displayName?: string
  name?: ScimName
  emails?: ScimEmail[]
}

const MAX_TEXT = 256
export const MAX_EMAILS = 20

/** The attributes whose value is a text. */
export const TEXT_ATTRIBUTES = ['userName', 'externalId', 'displayName'] as const

/** A whole user, as it is sent to create or to replace one. */
export function readUser(body: Readonly<Record<string, unknown>>): ScimAttributes {
  const given = new Map<string, unknown>()
  for (const [key, value] of Object.entries(body)) {
    refuseDangerousName(key)
    if (value !== null) given.set(key.toLowerCase(), value)
  }
  const userName = given.get('username')
  if (userName === undefined) throw scimRefusal('invalidValue', 'userName is required')
  const user: ScimAttributes = { userName: readText('userName', userName), active: true }
  if (given.has('active')) user.active = readBoolean('active', given.get('active'))
  if (given.has('externalid')) user.externalId = readText('externalId', given.get('externalid'))
  if (given.has('displayname')) user.displayName = readText('displayName', given.get('displayname'))
  if (given.has('name')) user.name = readName(given.get('name'))
  if (given.has('emails')) user.emails = withOnePrimary(readEmails(given.get('emails')))
  return withoutEmpty(user)
}

/** An attribute without any value is the same as none. */
export function withoutEmpty(user: ScimAttributes): ScimAttributes {
  const { name, emails, ...rest } = user
  return {
    ...rest,
    ...(name !== undefined && Object.keys(name).length > 0 ? { name } : {}),
    ...(emails !== undefined && emails.length > 0 ? { emails } : {}),
  }
}

export function readText(path: string, value: unknown): string {
  if (typeof value !== 'string') throw scimRefusal('invalidValue', `${path} must be a text`)
  if (value.length > MAX_TEXT || (value.trim() === '' && path === 'userName'))
    throw scimRefusal('invalidValue', `${path} must have 1 to ${MAX_TEXT} characters`)
  return value
}

/** Entra sends texts such as "False" where SCIM has booleans. */
export function readBoolean(path: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word !== 'true' && word !== 'false')
    throw scimRefusal('invalidValue', `${path} must be true or false`)
  return word === 'true'
}

export function readName(value: unknown): ScimName {
  const name: ScimName = {}
  for (const [part, text] of partsOf('name', value, NAME_PARTS)) {
    if (text !== null) name[part] = readText(`name.${part}`, text)
  }
  return name
}

/** One or several, each an object or just the address. */
export function readEmails(value: unknown): ScimEmail[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > MAX_EMAILS)
    throw scimRefusal('invalidValue', `emails has at most ${MAX_EMAILS} entries`)
  return list.map((entry) => readEmail(typeof entry === 'string' ? { value: entry } : entry))
}

function readEmail(value: unknown): ScimEmail {
  const parts = readEmailParts(value)
  if (parts.value === undefined) throw scimRefusal('invalidValue', 'emails.value is required')
  return { ...parts, value: parts.value }
}

export function readEmailParts(value: unknown): Partial<ScimEmail> {
  const email: Partial<ScimEmail> = {}
  for (const [part, given] of partsOf('emails', value, EMAIL_PARTS)) {
    if (given !== null) Object.assign(email, readEmailPart(part, given))
  }
  return email
}

export function readEmailPart(part: ScimEmailPart, value: unknown): Partial<ScimEmail> {
  const path = `emails.${part}`
  return { [part]: part === 'primary' ? readBoolean(path, value) : readText(path, value) }
}

/** The known parts of a complex value, under their proper names. */
function partsOf<Part extends string>(
  path: string,
  value: unknown,
  known: readonly Part[],
): [Part, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw scimRefusal('invalidValue', `${path} must be an object`)
  return Object.entries(value).flatMap(([key, part]): [Part, unknown][] => {
    refuseDangerousName(key)
    const name = known.find((one) => one.toLowerCase() === key.toLowerCase())
    return name === undefined ? [] : [[name, part]]
  })
}

/** At most one address is the primary one: the last that says so. */
export function withOnePrimary(emails: readonly ScimEmail[]): ScimEmail[] {
  const last = emails.findLastIndex(({ primary }) => primary === true)
  return emails.map((email, at) =>
    email.primary === true && at !== last ? { ...email, primary: false } : email,
  )
}

/** The address that the user signs in with; null: there is none. */
export function addressOf({ userName, emails = [] }: ScimAttributes): string | null {
  const email = emails.find(({ primary }) => primary === true) ?? emails[0]
  return EmailAddress.safeParse((email?.value ?? userName).trim()).data ?? null
}

/** The name to show for a person; null: nothing was sent. */
export function displayedName({ displayName, name }: ScimAttributes): string | null {
  const parts = [name?.givenName, name?.familyName].filter((part) => part !== undefined)
  const shown = displayName ?? name?.formatted ?? parts.join(' ')
  return shown.trim() === '' ? null : shown.trim()
}
