/** `json`: a value as Go's `encoding/json` writes it, with `<`, `>` and `&` escaped. */
import { type StepBudget, spend } from '@posthorn/domain/step-budget'
import { bytesOf, stringOf } from './go-strings.ts'
import { type GoNumber, isGoNumber } from './numbers.ts'
import { type GoValue, isList, RenderFailure, sortedKeysOf, spendText, valueOf } from './values.ts'

const MAX_DEPTH = 100

export function toJson(value: GoValue, budget: StepBudget, depth = 0): string {
  spend(budget, 1)
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return stringToJson(value, budget)
  if (isGoNumber(value)) return numberToJson(value)
  if (depth >= MAX_DEPTH) throw new RenderFailure(`the data is nested more than ${MAX_DEPTH} deep`)
  if (isList(value)) {
    return `[${value.map((one) => toJson(valueOf(one, budget), budget, depth + 1)).join(',')}]`
  }
  const members = sortedKeysOf(value, budget).map((key) => {
    const name = stringToJson(key.toWellFormed(), budget)
    return `${name}:${toJson(valueOf(value[key], budget), budget, depth + 1)}`
  })
  return `{${members.join(',')}}`
}

function numberToJson({ kind, whole, float, spelling }: GoNumber): string {
  if (kind === 'complex128') throw new RenderFailure('json: a complex number has no JSON')
  if (whole !== null) return String(whole)
  if (Number.isFinite(float)) return String(float)
  // Only the data can have such a number, and it was JSON there.
  return spelling as string
}

const ESCAPED = /[<>&\u2028\u2029]/g
/** Each that is escaped grows by five characters: a step pays for eight. */
const GROWTH_PER_STEP = 40
/** A byte that belongs to no character. */
const LONE_BYTE = /[\udc00-\udfff]/u

function stringToJson(text: string, budget: StepBudget): string {
  spendText(budget, text)
  const written = text.isWellFormed()
    ? JSON.stringify(text)
    : `"${stringOf(bytesOf(text)).split(LONE_BYTE).map(insideQuotes).join('\\ufffd')}"`
  const escaped = written.replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  spend(budget, Math.ceil((escaped.length - written.length) / GROWTH_PER_STEP))
  return escaped
}

function insideQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
