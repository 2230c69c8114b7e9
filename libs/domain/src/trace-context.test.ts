import { expect, test } from '@jest/globals'
import {
  childTraceparent,
  contextOf,
  fanOutSpanIdOf,
  ownContext,
  parseTraceparent,
  spanIdOf,
  toTraceparent,
} from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const GIVEN = `00-${TRACE}-${PARENT}-01`
const ID = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'

test.each([
  ['as it is', GIVEN, GIVEN],
  ['with blanks around it', ` ${GIVEN} `, GIVEN],
  ['of a later version', `cc-${TRACE}-${PARENT}-01-what-is-new`, GIVEN],
  ['not sampled', `00-${TRACE}-${PARENT}-00`, `00-${TRACE}-${PARENT}-00`],
])('a header %s is taken', (_what, given, taken) => {
  expect(parseTraceparent(given)).toBe(taken)
})

test.each([
  ['there is none', undefined],
  ['it is empty', ''],
  ['its version is ff', `ff-${TRACE}-${PARENT}-01`],
  ['it goes on after version 00', `${GIVEN}-more`],
  ['its trace is zero', `00-${'0'.repeat(32)}-${PARENT}-01`],
  ['its parent is zero', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['it has capitals', GIVEN.toUpperCase()],
  ['it is too short', GIVEN.slice(0, -1)],
  ['there are two', `${GIVEN}, ${GIVEN}`],
  ['it is endless', `cc-${TRACE}-${PARENT}-01-${'x'.repeat(300)}`],
])('nothing is taken where %s', (_what, given) => {
  expect(parseTraceparent(given)).toBeNull()
})

test('a context is read and written', () => {
  const context = contextOf(GIVEN)
  expect(context).toEqual({ traceId: TRACE, parentId: PARENT, isSampled: true })
  expect(contextOf(`00-${TRACE}-${PARENT}-02`).isSampled).toBe(false)
  expect(toTraceparent(context, PARENT)).toBe(GIVEN)
})

test('spans have the ids of what they are of', () => {
  expect(spanIdOf(ID)).toBe('8a1b2c3d4e5f6071')
  expect(fanOutSpanIdOf(ID)).toBe('1a1b2c3d4e5f6071')
  const child = childTraceparent(`00-${TRACE}-${PARENT}-03`, ID)
  expect(child).toBe(`00-${TRACE}-8a1b2c3d4e5f6071-03`)
  expect(parseTraceparent(child)).toBe(child)
})

test('an event of its own begins a trace, of which a share is sampled', () => {
  expect(ownContext(ID, 1)).toEqual({
    traceId: ID.replaceAll('-', ''),
    parentId: null,
    isSampled: true,
  })
  expect(ownContext(ID, 0).isSampled).toBe(false)
  expect(ownContext(`${ID.slice(0, -8)}00000001`, 0.1).isSampled).toBe(true)
  expect(ownContext(`${ID.slice(0, -8)}f0000000`, 0.1).isSampled).toBe(false)
})
