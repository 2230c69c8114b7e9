/**
 * Makes a result of the text that a script's call returned. Pure. The text is the script's, so
 * nothing in it is trusted. Only the size of headers is checked here; the sandbox checks the rest.
 */
import { parseJson } from '@posthorn/domain/parse-json'
import { memberSlice } from '@posthorn/domain/raw-json'
import type { ScriptResult } from './protocol.ts'

/** 8 KiB of names and values as JSON: each character escaped, and the punctuation of 50 pairs. */
const MAX_HEADERS_CHARACTERS = 20 * 1024

/** @param original the payload that went in, as JSON text */
export function readReturned(
  text: string,
  original: string,
  maxPayloadBytes: number,
): ScriptResult {
  if (text.startsWith('!')) return { outcome: 'error', detail: text.slice(1) }
  const result = parsed(text)
  if (result === null) return { outcome: 'dropped' }
  const problem = problemOf(result)
  if (problem !== null) return { outcome: 'error', detail: problem }
  const payload = result['payload'] === undefined ? null : sliceOf(text, 'payload')
  if (payload !== null && Buffer.byteLength(payload) > maxPayloadBytes)
    return tooLarge(`payload is larger than ${maxPayloadBytes} bytes`)
  const headers = isAbsent(result['headers']) ? null : sliceOf(text, 'headers')
  if (headers !== null && headers.length > MAX_HEADERS_CHARACTERS)
    return tooLarge('headers are too large')
  const isUnchanged = payload !== null && isSameJson(payload, original)
  return { outcome: 'changed', payload: isUnchanged ? null : payload, headers }
}

function parsed(text: string): Record<string, unknown> | null {
  return parseJson(text) as Record<string, unknown> | null
}

function problemOf(result: Record<string, unknown>): string | null {
  if (typeof result !== 'object' || Array.isArray(result))
    return 'what transform returned is no object'
  for (const name of Object.keys(result)) {
    if (name === 'payload' || name === 'headers') continue
    if (name === 'url') return 'transform returned a url; where a delivery goes can not be changed'
    const shown = name.slice(0, 50).toWellFormed()
    return `transform returned a field ${JSON.stringify(shown)}; only payload and headers may be returned`
  }
  const { payload, headers } = result
  if (payload !== undefined && (typeof payload !== 'object' || payload === null))
    return 'payload must be an object or an array'
  if (!isAbsent(headers) && (typeof headers !== 'object' || Array.isArray(headers)))
    return 'headers must be an object'
  return null
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function sliceOf(text: string, name: string): string {
  const slice = memberSlice(text, name)
  return slice === null ? '' : text.slice(slice.start, slice.end)
}

/** The sender's spelling stays when nothing but the spelling differs. */
function isSameJson(payload: string, original: string): boolean {
  return payload === original || payload === JSON.stringify(parseJson(original))
}

function tooLarge(detail: string): ScriptResult {
  return { outcome: 'error', detail }
}
