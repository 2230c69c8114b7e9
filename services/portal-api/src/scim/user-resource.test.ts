import { expect, test } from '@jest/globals'
import { readUser } from './user-attributes.ts'
import {
  attributesOf,
  project,
  requiredAddress,
  type ScimMember,
  storedAttributes,
  toResource,
} from './user-resource.ts'

const MEMBER: ScimMember = {
  id: '0190f000-0000-7000-8000-000000000001',
  email: 'ada@a.example',
  name: 'Ada',
  active: true,
  scimExternalId: null,
  scimAttributes: null,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  updatedAt: new Date('2026-01-02T00:00:00Z'),
}

test('a member who did not come by SCIM has an address and a name', () => {
  expect(toResource(MEMBER, 'https://p.example')).toEqual({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id: MEMBER.id,
    userName: 'ada@a.example',
    displayName: 'Ada',
    active: true,
    emails: [{ value: 'ada@a.example', type: 'work', primary: true }],
    meta: {
      resourceType: 'User',
      created: '2026-01-01T00:00:00.000Z',
      lastModified: '2026-01-02T00:00:00.000Z',
      location: `https://p.example/scim/v2/Users/${MEMBER.id}`,
    },
  })
  expect(attributesOf({ ...MEMBER, name: '' })).not.toHaveProperty('displayName')
})

test('one who came by SCIM is shown as sent', () => {
  const sent = readUser({
    userName: 'Ada@A.example',
    externalId: '7',
    name: { givenName: 'A' },
    emails: [{ value: 'ada@a.example' }],
    active: false,
  })
  const { externalId = null, active } = sent
  const member = {
    ...MEMBER,
    active,
    scimExternalId: externalId,
    scimAttributes: storedAttributes(sent),
  }
  expect(attributesOf(member)).toEqual(sent)
})

test('a user without any address is refused', () => {
  expect(() => requiredAddress(readUser({ userName: 'ada' }))).toThrow(/e-mail address/)
})

test.each([
  [{ attributes: 'userName' }, ['id', 'schemas', 'userName']],
  [{ attributes: 'USERNAME,meta' }, ['id', 'meta', 'schemas', 'userName']],
  [{ attributes: ' ' }, ['active', 'displayName', 'emails', 'id', 'meta', 'schemas', 'userName']],
  [
    { excludedAttributes: 'emails,meta,id' },
    ['active', 'displayName', 'id', 'schemas', 'userName'],
  ],
])('%j shows %j', (shown, keys) => {
  expect(Object.keys(project(toResource(MEMBER, ''), shown)).sort()).toEqual(keys)
})

test('a part of an attribute can be asked for, or left out', () => {
  const resource = toResource(MEMBER, '')
  expect(project(resource, { attributes: 'emails.value' })).toMatchObject({
    emails: [{ value: 'ada@a.example' }],
  })
  expect(project(resource, { attributes: 'emails.value' })).not.toMatchObject({
    emails: [{ type: 'work' }],
  })
  expect(project(resource, { excludedAttributes: 'emails.type' })).toMatchObject({
    emails: [{ value: 'ada@a.example', primary: true }],
  })
})
