/** Reads JSON for templates: with the spelling of its numbers, which JavaScript's would lose. */
import { dataNumber } from './numbers.ts'

/** @throws SyntaxError where it is no JSON */
export function parseData(json: string): unknown {
  try {
    return JSON.parse(json, keepNumber as (key: string, value: unknown) => unknown)
  } catch (error) {
    // Only the reviver has a limit in depth. Without it numbers are what JavaScript makes of them.
    if (error instanceof RangeError) return JSON.parse(json)
    throw error
  }
}

function keepNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  // What JavaScript spells the same way is read as one of its numbers, when it is looked at.
  return context.source === String(value) ? value : dataNumber(context.source)
}
