import { expect, test } from '@jest/globals'
import { recordOf } from '@posthorn/contracts/fields'
import { z } from 'zod'
import { findOversized } from './find-oversized.ts'

const Item = z.strictObject({
  name: z.string().max(10),
  tags: recordOf(z.string(), z.string().max(5), 2),
})
const Body = z
  .strictObject({
    items: z.array(Item).max(3),
    either: z.union([z.string().max(5), z.array(z.string()).max(2)]).nullable(),
    chosen: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('list'), values: z.array(z.number()).max(2) }),
      z.strictObject({ kind: z.literal('text'), values: z.string().max(4) }),
    ]),
    shaped: z.string().max(6).trim(),
    turned: z.preprocess((value) => value, z.array(z.number()).max(1)),
    anything: z.unknown(),
  })
  .partial()
  .superRefine(() => undefined)

const manyFields = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]))

test.each([
  [{ items: [1, 2, 3, 4] }, 'items', 'must be at most 3 entries'],
  [{ items: [{}, { name: 'n'.repeat(21) }] }, 'items.1.name', 'must be at most 10 characters'],
  [{ items: [{ tags: { a: 'a', b: 'b', c: 'c' } }] }, 'items.0.tags', 'must have at most 2 fields'],
  [{ items: [{ tags: { a: 'a'.repeat(11) } }] }, 'items.0.tags.a', 'must be at most 5 characters'],
  [{ either: 'a'.repeat(11) }, 'either', 'must be at most 5 characters'],
  [{ either: ['a', 'b', 'c'] }, 'either', 'must be at most 2 entries'],
  [
    { chosen: { kind: 'text', values: 'a'.repeat(9) } },
    'chosen.values',
    'must be at most 4 characters',
  ],
  [{ shaped: 'a'.repeat(13) }, 'shaped', 'must be at most 6 characters'],
  [{ turned: [1, 2] }, 'turned', 'must be at most 1 entries'],
  [manyFields(200), '', 'has too many fields, of which at most 6 are known'],
  [{ items: [manyFields(4_000)] }, 'items.0', 'has too many fields, of which at most 2 are known'],
])('finds %j at %s', (body, path, message) => {
  expect(findOversized(Body, body)).toEqual({ path, message })
})

test.each([
  {},
  { items: [{ name: 'n'.repeat(20), tags: { a: 'aa', b: 'b' } }], either: null },
  { either: 'a', chosen: { kind: 'list', values: [1, 2] }, turned: [1] },
  // What is wrong in another way is the schema's to refuse.
  { items: 'no list', either: { some: 'object' }, chosen: 'text', unknown: 1 },
  { items: [null, 1, [1, 2, 3, 4, 5]], chosen: { kind: 'other' } },
  { anything: [manyFields(200), 'a'.repeat(1_000)] },
])('leaves %j to the schema', (body) => {
  expect(findOversized(Body, body)).toBeNull()
})
