/**
 * Every text, list and object that the schema of any route's body has, as large as the route lets a
 * body be: reading and refusing it keeps the event loop for a bounded time.
 */
import { expect, test } from '@jest/globals'
import { ApiError } from '@posthorn/contracts/errors'
import { inputSchema, type JsonSchema, largeBodies } from '@posthorn/contracts/large-bodies.fixture'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { shortestOfLongestTurnsMs } from '@posthorn/testing/longest-turn'
import type { z } from 'zod'
import { checkBody, limitsOf } from './check-body.ts'
import { parseBodyText } from './parse-request.ts'

const MOST_MS = 25

const routes = Object.entries(routeCatalog('Posthorn') as Record<string, Route>).filter(
  ([, { body, consumes }]) => body !== undefined && consumes === undefined,
)

test('some routes have a body', () => {
  expect(routes.length).toBeGreaterThan(50)
})

function unlimitedIn(schema: JsonSchema, path: string): string[] {
  const { properties = {}, items, additionalProperties, maxItems, maxProperties } = schema
  const isList = items !== undefined
  const isRecord =
    typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
  return [
    ...((isList && maxItems === undefined) || (isRecord && maxProperties === undefined)
      ? [path]
      : []),
    ...Object.entries(properties).flatMap(([name, field]) => unlimitedIn(field, `${path}.${name}`)),
    ...(isList ? unlimitedIn(items, `${path}[]`) : []),
    ...(isRecord ? unlimitedIn(additionalProperties, `${path}[]`) : []),
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((some) =>
      (some ?? []).flatMap((option) => unlimitedIn(option, path)),
    ),
  ]
}

test.each(routes)('each list and each record in a body of %s has a limit', (_name, { body }) => {
  expect(unlimitedIn(inputSchema(body as z.ZodType), '')).toEqual([])
})

test.each(routes)('a body of %s', async (_name, route) => {
  const slow: string[] = []
  for (const { what, text: textOf } of largeBodies(route)) {
    const text = textOf()
    const isQuick = (ms: number): boolean => ms < MOST_MS
    const ms = await shortestOfLongestTurnsMs(5, isQuick, async () => {
      try {
        checkBody(route, text, await parseBodyText(text, limitsOf(route)))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
    })
    if (!isQuick(ms)) slow.push(`${what}: ${ms.toFixed(0)} ms`)
  }
  expect(slow).toEqual([])
})
