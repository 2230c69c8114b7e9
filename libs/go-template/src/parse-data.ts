/** Reads JSON for templates: with the spelling of its numbers, which JavaScript's would lose. */
import { atOnce } from '@posthorn/domain/at-once'
import { parseInSteps } from '@posthorn/domain/json-in-steps'
import { hasEscapedNames } from '@posthorn/domain/parse-json'
import { dataNumber } from './numbers.ts'

/** @throws SyntaxError where it is no JSON */
export function parseData(json: string): unknown {
  // JSON.parse may read escaped names wrongly.
  if (hasEscapedNames(json)) return atOnce(parseInSteps(json, { numberOf: spelled }))
  try {
    return JSON.parse(json, keepNumber as (key: string, value: unknown) => unknown)
  } catch (error) {
    // Only the reviver has a limit in depth. Without it numbers are what JavaScript makes of them.
    if (error instanceof RangeError) return JSON.parse(json)
    throw error
  }
}

function keepNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value !== 'number' || context?.source === undefined
    ? value
    : spelled(context.source)
}

function spelled(source: string): unknown {
  const value = Number(source)
  // What JavaScript spells the same way is read as one of its numbers, when it is looked at.
  return source === String(value) ? value : dataNumber(source)
}
