/**
 * Makes of text what a handler may rely on: a JSON object that fits the route's schema, contains no
 * text that Postgres refuses, and is not so deep that a recursion over it overflows the stack. Each
 * refusal names the field.
 */
import { setImmediate } from 'node:timers/promises'
import { inTurns } from '@posthorn/async/in-turns'
import { ApiError } from '@posthorn/contracts/errors'
import { atOnce } from '@posthorn/domain/at-once'
import {
  builtSoFar,
  type OpenContainer,
  type ParseRules,
  parseInSteps,
} from '@posthorn/domain/json-in-steps'
import {
  isNestedTooDeep,
  isNestedTooDeepInSteps,
  isValueTooDeep,
  MAX_NESTING,
} from '@posthorn/domain/nesting'
import { hasEscapedNamesInSteps, isForJsonParse, parseJson } from '@posthorn/domain/parse-json'
import { findBadText, isKeptAsText } from './bad-text.ts'
import { dotted, refusal } from './refusal.ts'

/** What is done with a shorter text takes some 5 ms in all, whatever is in it. */
const MIDDLE_CHARACTERS = 64 * 1024
/** A shorter text takes JSON.parse 20 ms at most. */
const LARGE_CHARACTERS = 384 * 1024
/** In a longer text numbers alone make it take more. */
const HUGE_CHARACTERS = 1024 * 1024

/** Members of one object; 15 ms to list them. A payload at its default limit has 44,000. */
const MAX_MEMBERS = 50_000
/** What a large text is refused for before all of it is built. */
export interface ValueLimits {
  /** Objects, arrays and scalars. */
  maxValues: number
  /** Called with what was built up to there; it throws the refusal. */
  onTooMany(built: unknown): never
}

/** At once where the text is short, else with turns of the event loop in between. */
export function parseBodyText(
  text: string,
  limits: ValueLimits,
): Record<string, unknown> | Promise<Record<string, unknown>> {
  return text.length < MIDDLE_CHARACTERS
    ? parseJsonObject(text)
    : parseLargeJsonObject(text, limits)
}

/**
 * As `parseJsonObject`, with turns of the event loop in between. Payloads of which nothing but
 * their text is read are checked and not built.
 */
async function parseLargeJsonObject(
  text: string,
  limits: ValueLimits,
): Promise<Record<string, unknown>> {
  const body = await parseObject(text, limits)
  const problems = await inTurns(findBadText(text, body))
  if (problems.length > 0) throw refusal('BAD_REQUEST', 'the body', problems)
  return body
}

async function parseObject(text: string, limits: ValueLimits): Promise<Record<string, unknown>> {
  if (await isParsedWhole(text)) {
    await setImmediate()
    const body = requireObject(parseText(text, JSON.parse))
    await setImmediate()
    if (await inTurns(isNestedTooDeepInSteps(text))) refuseDeepFields(body)
    return body
  }
  try {
    return requireObject(await inTurns(parseInSteps(text, rulesFor(limits))))
  } catch (error) {
    throw error instanceof SyntaxError ? notJson(error) : error
  }
}

async function isParsedWhole(text: string): Promise<boolean> {
  if (text.length >= HUGE_CHARACTERS) return false
  if (text.length >= LARGE_CHARACTERS) return await inTurns(isForJsonParse(text))
  return !(await inTurns(hasEscapedNamesInSteps(text)))
}

function rulesFor({ maxValues, onTooMany }: ValueLimits): ParseRules {
  return {
    isUnread: isUnreadPayload,
    onDeep: refuseDeep,
    maxBuilt: maxValues,
    maxMembers: MAX_MEMBERS,
    onTooMany: (open) => onTooMany(builtSoFar(open)),
  }
}

export function parseJsonObject(text: string): Record<string, unknown> {
  const body = shallowObject(text, parseText(text, parseJson))
  const problems = atOnce(findBadText(text, body))
  if (problems.length > 0) throw refusal('BAD_REQUEST', 'the body', problems)
  return body
}

function parseText(text: string, parse: (text: string) => unknown): unknown {
  if (text === '') throw new ApiError('BAD_REQUEST', 'the body is empty; send a JSON object')
  try {
    return parse(text)
  } catch (cause) {
    throw notJson(cause as Error)
  }
}

function notJson(cause: Error): ApiError {
  return new ApiError('BAD_REQUEST', `the body is not JSON: ${cause.message}`, { cause })
}

function requireObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('BAD_REQUEST', 'the body must be a JSON object')
  }
  return value as Record<string, unknown>
}

function shallowObject(text: string, value: unknown): Record<string, unknown> {
  const body = requireObject(value)
  if (isNestedTooDeep(text)) refuseDeepFields(body)
  return body
}

function refuseDeepFields(body: object): void {
  const deep = findDeepField(body)
  if (deep !== null) throw tooDeep(deep)
}

function tooDeep(field: string): ApiError {
  const message = `must be nested at most ${MAX_NESTING} levels deep`
  return refusal('BAD_REQUEST', 'the body', [{ path: dotted([field]), message }])
}

/**
 * The first field that is nested too deep, or null, of a body that is deep as a whole. Fields that
 * hold fields of their own are counted from those, so that a payload may be as deep wherever it
 * stands.
 */
function findDeepField(body: object): string | null {
  for (const [name, value] of Object.entries(body)) {
    if (!isWrapper(name, value)) {
      if (isValueTooDeep(value)) return name
      continue
    }
    for (const [inner, item] of Object.entries(value)) {
      if (typeof item !== 'object' || item === null || !Array.isArray(value)) {
        if (isValueTooDeep(item)) return `${name}.${inner}`
        continue
      }
      const deep = Object.entries(item).find(([, field]) => isValueTooDeep(field))
      if (deep !== undefined) return `${name}.${inner}.${deep[0]}`
    }
  }
  return null
}

/** As `findDeepField`, for a text that is parsed in steps, before what is too deep is built. */
function refuseDeep(open: readonly OpenContainer[]): void {
  const [body, wrapper, item] = open
  if (body?.kind !== 'object') throw tooDeep('')
  let path: (string | number)[] = [body.name]
  if (body.name === 'events' && wrapper?.kind === 'array' && item !== undefined)
    path = ['events', wrapper.value.length, item.kind === 'object' ? item.name : item.value.length]
  else if (body.name === 'event' && wrapper?.kind === 'object') path = ['event', wrapper.name]
  if (open.length - path.length >= MAX_NESTING) throw tooDeep(path.join('.'))
}

/** That of the body itself is read: its event type may have a schema. */
function isUnreadPayload(open: readonly OpenContainer[]): boolean {
  const holder = open.at(-1)
  if (open.length < 2 || holder?.kind !== 'object' || holder.name !== 'payload') return false
  return isKeptAsText(open.map((one) => (one.kind === 'object' ? one.name : `${one.value.length}`)))
}

/** A batch's items, and the event that a transformation is tested with. */
function isWrapper(name: string, value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return name === 'events' ? Array.isArray(value) : name === 'event' && !Array.isArray(value)
}
