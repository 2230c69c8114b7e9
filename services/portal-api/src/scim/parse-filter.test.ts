import { expect, test } from '@jest/globals'
import { parseFilter } from './parse-filter.ts'

test.each([
  ['userName eq "a@b.example"', [{ attribute: 'username', value: 'a@b.example' }]],
  ['  USERNAME  EQ  "x"  ', [{ attribute: 'username', value: 'x' }]],
  ['emails.value eq "a"', [{ attribute: 'emails.value', value: 'a' }]],
  ['active eq True', [{ attribute: 'active', value: true }]],
  [
    'externalId eq "7" and active eq false',
    [
      { attribute: 'externalid', value: '7' },
      { attribute: 'active', value: false },
    ],
  ],
  [
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "x"',
    [{ attribute: 'username', value: 'x' }],
  ],
  ['id eq "quote \\" and \\u0041"', [{ attribute: 'id', value: 'quote " and A' }]],
] as const)('%s', (filter, comparisons) => {
  expect(parseFilter(filter)).toEqual(comparisons)
})

test.each([
  '',
  'userName',
  'userName eq',
  'userName eq x',
  'userName eq "x',
  'userName eq "x" or active eq true',
  'userName co "x"',
  'userName pr',
  'not (userName eq "x")',
  '(userName eq "x")',
  'userName eq "x" and',
  'userName eq "x" userName eq "y"',
  'userName eq "\\x"',
  'userName eq "\\u0000"',
  'userName eq "\\ud800"',
  '"x" eq userName',
  `userName eq "${'x'.repeat(500)}"`,
  '('.repeat(5_000),
  Array(11).fill('active eq true').join(' and '),
])('refused: %.60s', (filter) => {
  expect(() => parseFilter(filter)).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', details: { scimType: 'invalidFilter' } }),
  )
})
