import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { atOnce } from './at-once.ts'
import { memberSlice, memberSliceInSteps, memberSlices } from './raw-json.ts'

function member(text: string, name: string, from = 0): string | null {
  const slice = memberSlice(text, name, from)
  expect(atOnce(memberSliceInSteps(text, name, from))).toEqual(slice)
  return slice === null ? null : text.slice(slice.start, slice.end)
}

describe('the text of a member, as it was sent', () => {
  test.each([
    ['{"payload":{"b":1,"a":1.50}}', '{"b":1,"a":1.50}'],
    ['{ "payload" : 1e3 , "x": 2}', '1e3'],
    ['{"x":{"payload":1},"payload":2}', '2'],
    ['{"x":"\\"payload\\":1","payload":[1, 2]}', '[1, 2]'],
    ['{"payload":1,"payload":2}', '2'],
    ['{"p\\u0061yload":{"a":"}"}}', '{"a":"}"}'],
    ['{"payload":"\\\\"}', '"\\\\"'],
    ['{"payload":"a\\\\\\"b"}', '"a\\\\\\"b"'],
    ['\n\t{"payload"\r\n:\n{}\n}', '{}'],
    ['{"payload":"é\u{1f600}"}', '"é\u{1f600}"'],
    ['{"payload":null}', 'null'],
    ['{"a":[{"b":"]"},[]],"payload":-0.0}', '-0.0'],
    ['{"x":1}', null],
    ['{}', null],
    ['[1]', null],
    ['"payload"', null],
  ])('%s', (text, expected) => {
    expect(member(text, 'payload')).toBe(expected)
  })

  test('a key that merely looks like the name when escaped is another one', () => {
    expect(member('{"\\n":1}', '\\n')).toBeNull()
    expect(member('{"\\\\n":1}', '\\n')).toBe('1')
    expect(member('{"\\n":1}', '\n')).toBe('1')
  })
})

const space = fc
  .array(fc.constantFrom(' ', '\n', '\t', '\r'), { maxLength: 2 })
  .map((s) => s.join(''))
/**
 * Without backslashes, because V8's JSON.parse is wrong about them: in Node 24.21, after
 * `{"\\\\":1}` has been parsed, it reads the key of `{"\\"":1}` as a backslash. The table above has
 * such keys.
 */
const names = fc
  .oneof(fc.constantFrom('payload', 'a', '__proto__', '', '"'), fc.string())
  .filter((name) => !name.includes('\\'))

/** A string as JSON, with some of its characters escaped without need. */
const spelled = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.integer()).map(([plain, seed]) => {
    const units = Array.from({ length: plain.length }, (_, at) => plain.charAt(at))
    const inside = units.map((unit, at) =>
      (seed >> (at % 30)) & 1
        ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
        : JSON.stringify(unit).slice(1, -1),
    )
    return `"${inside.join('')}"`
  })

/** JSON text with odd spacing, odd escapes and repeated keys. */
const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    spelled(fc.string({ unit: 'binary' })),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
    fc.constantFrom('true', 'false', 'null', '1E5', '-0', '10.500'),
    tie('object'),
    tie('array'),
  ),
  object: fc
    .array(fc.tuple(space, spelled(names), space, space, tie('value'), space), { maxLength: 4 })
    .map((all) => `{${all.map(([a, k, b, c, v, d]) => `${a}${k}${b}:${c}${v}${d}`).join(',')}}`),
  array: fc
    .array(fc.tuple(space, tie('value'), space), { maxLength: 4 })
    .map((all) => `[${all.map(([a, v, b]) => `${a}${v}${b}`).join(',')}]`),
}))

const object = fc
  .array(fc.tuple(space, spelled(names), space, space, value, space), {
    minLength: 1,
    maxLength: 6,
  })
  .map((all) => `{${all.map(([a, k, b, c, v, d]) => `${a}${k}${b}:${c}${v}${d}`).join(',')}}`)

test('a member’s text parses to what JSON.parse gives, for any object', () => {
  fc.assert(
    fc.property(space, object, space, names, (before, body, after, other) => {
      const text = before + body + after
      const parsed = JSON.parse(text) as Record<string, unknown>
      for (const name of [...Object.keys(parsed), other]) {
        const found = member(text, name)
        if (!Object.hasOwn(parsed, name)) expect(found).toBeNull()
        else expect(JSON.parse(found ?? '"missing"')).toEqual(parsed[name])
      }
    }),
    { numRuns: 1_000 },
  )
})

/** The texts of the members, found without a pause. */
function members(text: string, name: string, inner: string): (string | null)[] {
  const slices = atOnce(memberSlices(text, name, inner))
  return slices.map((slice) => slice && text.slice(slice.start, slice.end))
}

test('a member of each element of an array, for any array', () => {
  const elements = fc.array(fc.tuple(space, object, space), { maxLength: 5 })
  fc.assert(
    fc.property(space, elements, names, (before, all, name) => {
      const text = `{"e":${before}[${all.map(([a, v, b]) => `${a}${v}${b}`).join(',')}]}`
      expect(members(text, 'e', name)).toEqual(all.map(([, v]) => member(v, name)))
    }),
    { numRuns: 500 },
  )
})

test('the elements of a member that is an array, each with its own members', () => {
  const text = '{ "events" : [ {"payload": {"n": 1.0}}, {"x":[1,2],"payload":2} ,{"payload":[]}] }'
  expect(members(text, 'events', 'payload')).toEqual(['{"n": 1.0}', '2', '[]'])
  expect(members('{"e":[ ]}', 'e', 'a')).toEqual([])
  expect(members('{"e":[1,"a,b",[2,3],null,{},{"a":1,"a":[2]}]}', 'e', 'a')).toEqual([
    null,
    null,
    null,
    null,
    null,
    '[2]',
  ])
  expect(members('{"e":{}}', 'e', 'a')).toEqual([])
  expect(members('{"e":[{"a":1}],"x":[3],"e":[{"a":4}]}', 'e', 'a')).toEqual(['4'])
})

test.each([
  ['one large element', `[${'[1,2],'.repeat(500_000)}0]`, 1],
  ['many small ones', '{"a":1}', 300_000],
  ['a text of escaped quotes', `"${'\\"'.repeat(1_000_000)}"`, 1],
  ['a text of backslashes', `"${'\\\\'.repeat(1_000_000)}"`, 1],
  ['such a text as a member', `{"a":"${'\\"'.repeat(1_000_000)}"}`, 1],
  ['such a text within a member', `{"a":["${'\\"'.repeat(1_000_000)}"]}`, 1],
  ['such a text as a name', `{"${'\\"'.repeat(1_000_000)}":1}`, 1],
])('megabytes are gone through in steps: %s', (_, element, count) => {
  const text = `{"e":[${Array.from({ length: count }, () => element).join()}]}`
  const some = [...memberSlices(text, 'e', 'a')]
  const one = [...memberSliceInSteps(text, 'e')]
  for (const steps of [some, one])
    expect(steps.length).toBeGreaterThanOrEqual(text.length / 200_000)
})

test('a text ends where it does, wherever a step ends', () => {
  const ends = ['\\\\', '\\"', '\\\\\\"', '\\'.repeat(64), '\\'.repeat(65) + '"', 'a']
  for (const end of ends) {
    for (let shift = 0; shift < end.length + 8; shift += 1) {
      const value = `["${'x'.repeat(128 * 1024 - 24 - shift)}${end}","]}"]`
      const text = `{"e":[{"a":${value}},{"a":1}]}`
      JSON.parse(text)
      expect(members(text, 'e', 'a')).toEqual([value, '1'])
      expect(member(text, 'e')).toBe(text.slice(5, -1))
    }
  }
})

test('white space of any length stands between', () => {
  for (const count of [0, 1, 31, 32, 33, 100_000]) {
    const spaces = ' \n\t\r'.repeat(count).slice(0, count)
    for (const value of ['[1]', '{"b":1}', '"b"', '1']) {
      const object = `${spaces}{${spaces}"a"${spaces}:${spaces}${value}${spaces}}`
      expect(member(object, 'a')).toBe(value)
      expect(members(`{"e"${spaces}:${spaces}[${object},${object}]}`, 'e', 'a')).toEqual([
        value,
        value,
      ])
    }
  }
})
