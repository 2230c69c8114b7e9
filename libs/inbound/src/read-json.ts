/**
 * JSON from outside, parsed without blocking the event loop: text that is nested deeper than any
 * payload may be is refused before it is parsed, and what would take JSON.parse too long is parsed
 * in steps, with a turn of the loop after each.
 */
import { inTurns } from '@posthorn/async/in-turns'
import { isNestedTooDeepInSteps } from '@posthorn/domain/nesting'
import { parseJsonInSteps } from '@posthorn/domain/parse-json'
import { betweenReadings } from './yield-after.ts'

/** Fewer control characters than this never make a body large. */
const MIN_CONTROLS = 10_000
/** In code that is not compiled yet, 4 ms. */
const STEP_BYTES = 128 * 1024

export type ParsedJson =
  | { readonly outcome: 'ok'; readonly value: unknown }
  | { readonly outcome: 'too_deep' }
  | { readonly outcome: 'no_json' }

export async function readJson(text: string): Promise<ParsedJson> {
  if (!looksLikeJson(text)) return { outcome: 'no_json' }
  if (await inTurns(isNestedTooDeepInSteps(text))) return { outcome: 'too_deep' }
  await betweenReadings(text)
  try {
    return { outcome: 'ok', value: await inTurns(parseJsonInSteps(text)) }
  } catch {
    return { outcome: 'no_json' }
  }
}

/**
 * Whether a body holds so many control characters that it would more than double as JSON, where
 * each takes six: such a body is no text.
 */
export async function isSwelling(body: Buffer): Promise<boolean> {
  return await inTurns(swells(body))
}

function* swells(body: Buffer): Generator<undefined, boolean, undefined> {
  let left = Math.max(MIN_CONTROLS, body.length / 5)
  for (let at = 0; at < body.length; at += STEP_BYTES) {
    if (at > 0) yield
    left -= controlsIn(body.subarray(at, at + STEP_BYTES))
    if (left < 0) return true
  }
  return false
}

function controlsIn(part: Buffer): number {
  let controls = 0
  for (const byte of part)
    if (byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) controls += 1
  return controls
}

/**
 * Brackets in prose are no nesting: only a text that begins and ends like JSON is examined further.
 */
function looksLikeJson(text: string): boolean {
  const trimmed = text.trim()
  return /^[[{"\-\dtfn]/.test(trimmed) && /[\]}"\del]$/.test(trimmed.slice(-1))
}
