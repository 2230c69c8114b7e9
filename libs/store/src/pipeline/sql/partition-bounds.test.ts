import { expect, test } from '@jest/globals'
import { idAt, newId } from '@posthorn/domain/ids'
import { boundsOf } from './partition-bounds.ts'

const DAY_MS = 86_400_000
const monday = Date.UTC(2026, 10, 23)

test('one day: its bounds, whatever the time', () => {
  const days = boundsOf([idAt(monday + 1), idAt(monday + DAY_MS - 1), idAt(monday)])
  expect(days.within('d.id')).toBe(
    `d.id >= ALL (ARRAY['${idAt(monday)}']::uuid[]) AND d.id < ALL (ARRAY['${idAt(monday + DAY_MS)}']::uuid[])`,
  )
  expect(days.name).toBe(boundsOf([idAt(monday + 5)]).name)
})

test('several: from the first to the last, in a name of their own', () => {
  const days = boundsOf([idAt(monday + 2 * DAY_MS), idAt(monday), idAt(monday + DAY_MS)])
  expect(days.within('id')).toBe(
    `id >= ALL (ARRAY['${idAt(monday)}']::uuid[]) AND id < ALL (ARRAY['${idAt(monday + 3 * DAY_MS)}']::uuid[])`,
  )
  expect(days.name).not.toBe(boundsOf([idAt(monday)]).name)
  expect(days.name).not.toBe(boundsOf([idAt(monday + DAY_MS), idAt(monday + 2 * DAY_MS)]).name)
})

test('a statement’s name stays within the 63 characters that Postgres keeps', () => {
  const { name } = boundsOf([newId()])
  expect(`record-attempts-delivered ${name} ${name}`.length).toBeLessThan(63)
})
