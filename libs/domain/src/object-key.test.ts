import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { filePath, objectKey, prefixProblem } from './object-key.ts'

const EVENT = {
  prefix: undefined,
  eventType: 'order.paid',
  eventId: '01890a5d-ac96-774b-bcce-b302099a8057',
  createdAt: Date.UTC(2026, 2, 9, 23, 59, 59, 999),
}

describe('objectKey', () => {
  test.each([
    [{}, 'order.paid/2026/03/09/01890a5d-ac96-774b-bcce-b302099a8057.json'],
    [{ prefix: 'a/b' }, 'a/b/order.paid/2026/03/09/01890a5d-ac96-774b-bcce-b302099a8057.json'],
    [{ prefix: '//a///b/' }, 'a/b/order.paid/2026/03/09/01890a5d-ac96-774b-bcce-b302099a8057.json'],
    [{ eventType: null }, 'direct/2026/03/09/01890a5d-ac96-774b-bcce-b302099a8057.json'],
    [
      { createdAt: EVENT.createdAt + 1 },
      'order.paid/2026/03/10/01890a5d-ac96-774b-bcce-b302099a8057.json',
    ],
    [{ eventType: 'a/b:c' }, 'a_b:c/2026/03/09/01890a5d-ac96-774b-bcce-b302099a8057.json'],
    [{ eventType: '..' }, '__/2026/03/09/01890a5d-ac96-774b-bcce-b302099a8057.json'],
    [{ eventType: '../..' }, '.._../2026/03/09/01890a5d-ac96-774b-bcce-b302099a8057.json'],
  ])('%j is %s', (over, key) => {
    expect(objectKey({ ...EVENT, ...over })).toBe(key)
  })

  test('never leads upwards, whatever the words are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('..', '.', '/', '\\', 'a', '\0', 'é'), { maxLength: 8 }),
        fc.array(fc.constantFrom('..', '.', '/', '\\', 'a', '\0', 'é'), { maxLength: 8 }),
        (prefix, eventType) => {
          const identity = { ...EVENT, prefix: prefix.join(''), eventType: eventType.join('') }
          if (prefixProblem(identity.prefix) !== null) {
            expect(() => objectKey(identity)).toThrow('the prefix must')
            return
          }
          const segments = objectKey(identity).split('/')
          expect(segments.filter((segment) => /^\.{0,2}$/.test(segment))).toEqual([])
        },
      ),
    )
  })
})

test('a tenant’s files stand in its own folder, whatever the prefix says', () => {
  const [mine, other] = [
    '01890a5d-0000-7000-8000-000000000001',
    '01890a5d-0000-7000-8000-000000000002',
  ]
  for (const prefix of [undefined, '', '/', other, `/${other}/orders`, 'a/b']) {
    const path = filePath(mine, { ...EVENT, prefix })
    expect(path).toBe(`${mine}/${objectKey({ ...EVENT, prefix })}`)
  }
  expect(() => filePath(mine, { ...EVENT, prefix: `../${other}` })).toThrow('the prefix must')
})

test.each([
  ['', null],
  ['a/b c/ü', null],
  ['/a/', null],
  ['...', null],
  ['a/../b', 'must have no segment . or ..'],
  ['..', 'must have no segment . or ..'],
  ['a/./b', 'must have no segment . or ..'],
  ['a\\..\\b', 'must have no control characters and no backslash'],
  ['a\0b', 'must have no control characters and no backslash'],
  ['a\ud800', 'must have no control characters and no backslash'],
  ['a/'.repeat(256), null],
  ['ab/'.repeat(256), 'must be at most 512 bytes'],
  ['é'.repeat(128), 'must have segments of at most 255 bytes'],
])('prefix %# is checked', (prefix, problem) => {
  expect(prefixProblem(prefix)).toBe(problem)
})
