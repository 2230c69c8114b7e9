/** Whatever is sent, the answer is a value or the one declared error, and never another. */
import { describe, expect, test } from '@jest/globals'
import { ApiError } from '@posthorn/contracts/errors'
import { isUuid } from '@posthorn/domain/ids'
import fc from 'fast-check'
import { decodeCursor, encodeCursor } from './page.ts'
import { refuseBadText } from './bad-text.ts'
import { parseJsonObject } from './parse-request.ts'

function refusedOrNot<Value>(attempt: () => Value): Value | 'refused' {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_REQUEST') return 'refused'
    throw error
  }
}

/** Keys that libraries stumble over are as frequent as any. */
const key = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'payload', 'events', ''),
  fc.string({ unit: 'binary' }),
)
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -0, 1e308, 5e-324),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'binary' }),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 4 }).map(Object.fromEntries),
  ),
}))

describe('a body', () => {
  test('of any text is an object or refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        const read = refusedOrNot(() => parseJsonObject(text))
        if (read !== 'refused') expect(read).toEqual(JSON.parse(text))
      }),
      { numRuns: 2_000 },
    )
  })

  test('of any JSON object comes back whole, or is refused for its text', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, json)), (members) => {
        const value = Object.fromEntries(members)
        const text = JSON.stringify(value)
        const read = refusedOrNot(() => parseJsonObject(text))
        if (read !== 'refused') expect(JSON.stringify(read)).toBe(text)
        else expect(text).toMatch(/\\u0000|\\ud[89a-f]|__proto__/)
      }),
      { numRuns: 2_000 },
    )
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":[', ']}]'],
  ])('of 100,000 times %s is refused', (opened, closed) => {
    const [open, close] = [opened.repeat(100_000), closed.repeat(100_000)]
    for (const text of [open, `${open}1${close}`, `{"payload":${open}1${close}}`]) {
      expect(refusedOrNot(() => parseJsonObject(text))).toBe('refused')
    }
  })
})

test('any query is taken or refused', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.anything()), (query) => {
      refusedOrNot(() => refuseBadText(query))
    }),
    { numRuns: 1_000 },
  )
})

describe('a cursor', () => {
  test('leads back to its id', () => {
    fc.assert(fc.property(fc.uuid(), (id) => expect(decodeCursor(encodeCursor(id))).toBe(id)))
  })

  test('of any text is an id that it alone stands for, or refused', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc.stringMatching(/^[\w-]{22}$/),
    )
    fc.assert(
      fc.property(text, (cursor) => {
        const id = refusedOrNot(() => decodeCursor(cursor))
        if (id === 'refused' || id === null) return
        expect(isUuid(id)).toBe(true)
        expect(encodeCursor(id)).toBe(cursor)
      }),
      { numRuns: 2_000 },
    )
  })
})
