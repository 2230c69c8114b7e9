import { expect, test } from '@jest/globals'
import { patchUser } from './patch-user.ts'
import { addressOf, displayedName, readUser, type ScimAttributes } from './user-attributes.ts'

const USER: ScimAttributes = {
  userName: 'ada@a.example',
  active: true,
  displayName: 'Ada',
  name: { givenName: 'Ada', familyName: 'Byron' },
  emails: [{ value: 'ada@a.example', type: 'work', primary: true }],
}

function patch(...operations: object[]): ScimAttributes {
  return patchUser(USER, { Operations: operations })
}

function refusalOf(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return (error as { details?: { scimType?: string } }).details?.scimType
  }
  return undefined
}

test('Okta deactivates without a path', () => {
  expect(patch({ op: 'replace', value: { active: false } }).active).toBe(false)
})

test.each(['False', 'false', 'FALSE', false])('Entra deactivates with %p', (value) => {
  expect(patch({ op: 'Replace', path: 'active', value }).active).toBe(false)
  expect(readUser({ userName: 'a', active: value }).active).toBe(false)
})

test.each(['no', 0, null, {}, [], 'True '])('%p is no answer to whether one is active', (value) => {
  expect(refusalOf(() => patch({ op: 'Replace', path: 'active', value }))).toBe('invalidValue')
})

test('Entra adds an address of a kind that is not there', () => {
  const path = 'emails[type eq "other"].value'
  for (const op of ['Add', 'Replace'])
    expect(patch({ op, path, value: 'x@a.example' }).emails).toEqual([
      { value: 'ada@a.example', type: 'work', primary: true },
      { type: 'other', value: 'x@a.example' },
    ])
})

test('a filter chooses the address that is changed', () => {
  const path = 'emails[type eq "Work" and primary eq true].value'
  expect(patch({ op: 'replace', path, value: 'new@a.example' }).emails).toEqual([
    { value: 'new@a.example', type: 'work', primary: true },
  ])
  expect(patch({ op: 'remove', path: 'emails[type eq "work"]' }).emails).toBeUndefined()
  expect(patch({ op: 'remove', path: 'emails[type eq "home"]' }).emails).toHaveLength(1)
  expect(patch({ op: 'remove', path: 'emails[type eq "work"].type' }).emails).toEqual([
    { value: 'ada@a.example', primary: true },
  ])
})

test('keys with dots are paths', () => {
  const value = { 'name.givenName': 'Augusta', 'name.familyName': 'King', displayName: 'A. K.' }
  expect(patch({ op: 'Add', value })).toMatchObject({
    displayName: 'A. K.',
    name: { givenName: 'Augusta', familyName: 'King' },
  })
})

test('what is not stored is ignored', () => {
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  const same = patch(
    { op: 'Add', path: `${enterprise}:department`, value: 'Engines' },
    { op: 'Replace', value: { [enterprise]: { department: 'Engines' }, title: 'Countess' } },
    { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '1' },
    { op: 'Replace', path: 'password', value: 'secret' },
    { op: 'Replace', path: 'name.nickName', value: 'A' },
    { op: 'Replace', path: 'emails.$ref', value: 'A' },
  )
  expect(same).toEqual(USER)
  expect(readUser({ userName: 'a', password: 'secret', [enterprise]: {} })).toEqual({
    userName: 'a',
    active: true,
  })
})

test.each([
  '__proto__.polluted',
  'constructor.prototype.polluted',
  'Constructor.Prototype.polluted',
  'name.__proto__',
  'emails[__proto__ eq "x"].value',
  'urn:ietf:params:scim:schemas:core:2.0:User:__proto__.polluted',
])('%s is refused, and reaches no prototype', (path) => {
  expect(refusalOf(() => patch({ op: 'add', path, value: 'yes' }))).toBe('invalidPath')
  expect(refusalOf(() => patch({ op: 'add', value: { [path]: 'yes' } }))).toBe('invalidPath')
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})

test('dangerous names inside values are refused too', () => {
  const value = JSON.parse('{"__proto__":{"polluted":"yes"}}') as object
  expect(refusalOf(() => patch({ op: 'add', path: 'name', value }))).toBe('invalidPath')
  expect(refusalOf(() => patch({ op: 'add', path: 'emails', value: [value] }))).toBe('invalidPath')
  expect(refusalOf(() => readUser({ userName: 'a', name: value }))).toBe('invalidPath')
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})

test('an id is read only, and what is required stays', () => {
  expect(refusalOf(() => patch({ op: 'replace', path: 'id', value: 'x' }))).toBe('mutability')
  expect(refusalOf(() => patch({ op: 'replace', value: { id: 'x' } }))).toBe('mutability')
  expect(refusalOf(() => patch({ op: 'remove', path: 'userName' }))).toBe('invalidValue')
  expect(refusalOf(() => patch({ op: 'remove', path: 'active' }))).toBe('invalidValue')
})

test.each([
  ['no operations', {}, 'invalidSyntax'],
  ['operations that are none', { Operations: 'x' }, 'invalidSyntax'],
  ['an unknown verb', { Operations: [{ op: 'move', path: 'active' }] }, 'invalidSyntax'],
  ['a removal of everything', { Operations: [{ op: 'remove' }] }, 'noTarget'],
  ['a value that is no object', { Operations: [{ op: 'add', value: 'x' }] }, 'invalidValue'],
  ['a path that is none', { Operations: [{ op: 'add', path: 'a..b', value: 1 }] }, 'invalidPath'],
  ['parts of a text', { Operations: [{ op: 'add', path: 'active.a', value: 1 }] }, 'invalidPath'],
  ['101 operations', { Operations: Array(101).fill({ op: 'add', value: {} }) }, 'invalidSyntax'],
  [
    'a number as a name',
    { Operations: [{ op: 'add', path: 'displayName', value: 1 }] },
    'invalidValue',
  ],
])('%s: refused', (_what, body, scimType) => {
  expect(refusalOf(() => patchUser(USER, body as object as Record<string, unknown>))).toBe(scimType)
})

test('texts and names are added, replaced and removed', () => {
  expect(patch({ op: 'remove', path: 'name.givenName' }).name).toEqual({ familyName: 'Byron' })
  expect(patch({ op: 'remove', path: 'name' })).not.toHaveProperty('name')
  expect(patch({ op: 'remove', path: 'displayName' })).not.toHaveProperty('displayName')
  expect(patch({ op: 'replace', path: 'displayName', value: null })).not.toHaveProperty(
    'displayName',
  )
  expect(patch({ op: 'add', path: 'EXTERNALID', value: '7' }).externalId).toBe('7')
  const full = 'urn:ietf:params:scim:schemas:core:2.0:User:externalId'
  expect(patch({ op: 'add', path: full, value: '7' }).externalId).toBe('7')
})

test('addresses are appended once, and only one is the primary one', () => {
  const second = { value: 'B@a.example', primary: true }
  const emails = [{ value: 'ada@a.example', type: 'work', primary: false }, second]
  expect(patch({ op: 'add', path: 'emails', value: second }).emails).toEqual(emails)
  expect(patch({ op: 'add', path: 'emails', value: [second, second] }).emails).toHaveLength(3)
  const replaced = patch({ op: 'replace', path: 'emails', value: [second] })
  expect(replaced.emails).toEqual([second])
  expect(addressOf(replaced)).toBe('b@a.example')
})

test('an operation does not change what it was given', () => {
  const before = structuredClone(USER)
  patch({ op: 'replace', path: 'emails.value', value: 'x@a.example' })
  patch({ op: 'add', path: 'name', value: { givenName: 'X' } })
  expect(USER).toEqual(before)
})

test.each([
  [{ userName: 'Ada@A.example' }, 'ada@a.example'],
  [
    { userName: 'ada', emails: [{ value: 'x@a.example' }, { value: 'y@a.example' }] },
    'x@a.example',
  ],
  [{ userName: 'ada' }, null],
  [{ userName: 'a@b.example, c@d.example' }, null],
  [{ userName: 'a@b.example\r\nBcc: c@d.example' }, null],
])('the address of %j is %s', (body, address) => {
  expect(addressOf(readUser(body))).toBe(address)
})

test('the name to show is the most particular one', () => {
  expect(displayedName(USER)).toBe('Ada')
  expect(displayedName({ ...USER, displayName: ' ' })).toBe(null)
  expect(
    displayedName(readUser({ userName: 'a', name: { givenName: 'A', familyName: 'B' } })),
  ).toBe('A B')
  expect(displayedName(readUser({ userName: 'a' }))).toBe(null)
})
