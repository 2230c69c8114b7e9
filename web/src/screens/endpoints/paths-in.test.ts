/** Paths that lead to what payloads hold. */
import { expect, test } from '@jest/globals'
import { compilePath } from '@posthorn/domain/json-path'
import { pathsIn } from './paths-in.ts'

test('each leaf has a path, names with signs too, and no path twice', () => {
  const payload = { order: { id: 1, 'line items': [{ sku: 'a' }, { sku: 'b' }] }, paid: true }
  const paths = pathsIn([payload, payload])
  expect(paths).toEqual(['$.order.id', '$.order["line items"][*].sku', '$.paid'])
  for (const path of paths) expect(compilePath(path).outcome).toBe('ok')
})

test('what is very deep or very long ends', () => {
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`n${at}`, at]))
  expect(pathsIn([wide]).length).toBe(60)
  expect(pathsIn([{ a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }])).toEqual([])
})
