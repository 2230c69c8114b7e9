import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { UNREAD } from './json-in-steps.ts'
import { compilePath, MAX_MATCHES } from './json-path.ts'
import { TooCostly } from './step-budget.ts'

function find(path: string, value: unknown): unknown[] {
  const compiled = compilePath(path)
  if (compiled.outcome === 'invalid') throw new Error(`${path} ${compiled.reason}`)
  return compiled.find(value)
}

const order = {
  id: 7,
  note: null,
  'a-b': 1,
  "it's": 2,
  'x y': { '☺': 3 },
  größe: 4,
  items: [{ sku: 'a', n: 1 }, { sku: 'b' }, { sku: 'c', n: 3 }],
  grid: [[1, 2], [], [3]],
  '0': 'zero',
}

test.each([
  ['$', [order]],
  ['$.id', [7]],
  ['$.note', [null]],
  ['$.none', []],
  ['$.id.none', []],
  ['$.note.none', []],
  ['$.a-b', [1]],
  ['$.größe', [4]],
  ["$['id']", [7]],
  ['$["id"]', [7]],
  ['$[ "id" ]', [7]],
  ["$['it\\'s']", [2]],
  ['$["it\'s"]', [2]],
  ["$['x y']['\\u263a']", [3]],
  ["$['0']", ['zero']],
  ['$[0]', []],
  ['$.items[0].sku', ['a']],
  ['$.items[-1].sku', ['c']],
  ['$.items[3]', []],
  ['$.items[-4]', []],
  ["$.items['0']", []],
  ['$.items.length', []],
  ['$.a-b.length', []],
  ['$.items[*].sku', ['a', 'b', 'c']],
  ['$.items.*.n', [1, 3]],
  ['$.items[1].*', ['b']],
  ['$.grid[*][*]', [1, 2, 3]],
  ['$.grid[*][0]', [1, 3]],
  ['$.id[*]', []],
  ['$ .items [ 0 ] .sku', ['a']],
])('%s finds %j', (path, expected) => {
  expect(find(path, order)).toEqual(expected)
})

test.each([
  ['', /begin with \$/],
  ['id', /begin with \$/],
  ['@.id', /begin with \$/],
  ['$..id', /"\.\."/],
  ['$.a..*', /"\.\."/],
  ['$.a[?(@.b)]', /filter expression/],
  ['$.a[?@.b > 1]', /filter expression/],
  ['$.a[(@.length-1)]', /script expression/],
  ['$.(process.exit())', /script expression/],
  ['$.a[0:2]', /slice/],
  ['$.a[:]', /slice/],
  ['$.a[::2]', /slice/],
  ['$.a[0,1]', /several/],
  ["$['a','b']", /several/],
  ['$.length()', /function/],
  ['$.0', /digit after a dot/],
  ['$[01]', /no index/],
  ['$[-0]', /no index/],
  ['$[9007199254740992]', /no index/],
  ['$.', /character 2 on/],
  ['$id', /character 2 on/],
  ['$.a ', /character 4 on/],
  ['$.a[', /character 4 on/],
  ['$.a[b]', /character 4 on/],
  ["$.a['b]", /character 4 on/],
  ["$.a['\\x']", /character 4 on/],
  ['$.a b', /character 4 on/],
  ['$.`constructor`', /character 2 on/],
])('%s is refused, and why', (path, reason) => {
  const reasons = expect.stringMatching(reason)
  expect(compilePath(path)).toEqual({ outcome: 'invalid', reason: reasons })
})

test('only what is the value’s own is found, and __proto__ is a name like others', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    expect(find(`$.${name}`, {})).toEqual([])
    expect(find(`$.${name}.polluted`, { a: [] })).toEqual([])
    expect(find(`$.a.${name}`, { a: [] })).toEqual([])
    expect(find(`$['${name}'].x`, JSON.parse(`{"${name}": {"x": 1}}`))).toEqual([1])
  }
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('finding stops at the most matches, in the order of the document', () => {
  const rows = Array.from({ length: 40 }, (_, row) =>
    Array.from({ length: 40 }, (_, n) => row * 40 + n),
  )
  const found = find('$[*][*]', rows)
  expect(found).toEqual(Array.from({ length: MAX_MATCHES }, (_, n) => n))
})

test('any member of any name is found by its quoted name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (name, value) => {
      const parent = JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`)
      expect(find(`$[${JSON.stringify(name)}]`, parent)).toEqual([
        JSON.parse(JSON.stringify(value)),
      ])
    }),
  )
})

test('compiling any text never throws, and neither does a path that compiles', () => {
  const parts = [
    '.',
    '..',
    '*',
    '[',
    ']',
    "'",
    '"',
    '\\',
    '-',
    '0',
    'a',
    '$',
    '@',
    '?',
    '(',
    ' ',
    ':',
    ',',
  ]
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...parts)).map((some) => some.join('')),
  )
  fc.assert(
    fc.property(text, fc.jsonValue(), (rest, value) => {
      const compiled = compilePath(`$${rest}`)
      if (compiled.outcome === 'ok') expect(Array.isArray(compiled.find(value))).toBe(true)
      else expect(compiled.reason).not.toBe('')
    }),
    { numRuns: 2_000 },
  )
})

test('wildcards that find nothing end, however much there is to look through', () => {
  const list = Array.from({ length: 200_000 }, (_, n) => ({ [`k${n}`]: 1 }))
  const path = compilePath('$[*].*.type')
  if (path.outcome === 'invalid') throw new Error(path.reason)
  let looked = 0
  const watched = list.map(
    (one) =>
      new Proxy(one, {
        ownKeys(target) {
          looked += 1
          return Reflect.ownKeys(target)
        },
      }),
  )
  expect(path.find(watched)).toEqual([])
  expect(looked).toBeGreaterThan(1_000)
  expect(looked).toBeLessThan(10_000)
})

test('a path ends at what was not read', () => {
  const value = { all: [{ a: 1 }, UNREAD, { a: 2 }], rest: UNREAD }
  expect(find('$.all[*].a', value)).toEqual([1])
  expect(find('$.all[2].a', value)).toEqual([2])
  expect(find('$.rest.a', value)).toEqual([])
  expect(find('$.rest[*]', value)).toEqual([])
  const compiled = compilePath('$.rest.a')
  if (compiled.outcome === 'invalid') throw new Error(compiled.reason)
  expect(() => compiled.findWithin(value, { left: 100 })).toThrow(TooCostly)
})
