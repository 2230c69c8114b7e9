/**
 * Every schema of a body or a query handles any JSON: it never throws, and it accepts its own
 * output again.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Route, routeCatalog } from './routes.ts'

const routes = Object.entries(routeCatalog('Service')) as [string, Route][]
const schemas = routes.flatMap(([name, { body, query, example }]) => [
  ...(body === undefined ? [] : [{ name: `${name} body`, schema: body, example }]),
  ...(query === undefined ? [] : [{ name: `${name} query`, schema: query, example: {} }]),
])

test.each(schemas)('$name', ({ schema, example }) => {
  const given = (example ?? {}) as object
  const fields = fc.constantFrom(
    ...Object.keys(given),
    '__proto__',
    'constructor',
    'cursor',
    'filter',
  )
  // Either any value at all, or an example with some fields replaced.
  const mutated = fc
    .dictionary(fields, fc.jsonValue(), { maxKeys: 3 })
    .map((changes) => ({ ...given, ...changes }))
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), mutated), (value) => {
      const read = schema.safeParse(value)
      if (!read.success) expect(read.error.issues.length).toBeGreaterThan(0)
      else expect(schema.safeParse(value)).toEqual(read)
    }),
    { numRuns: 100 },
  )
})
