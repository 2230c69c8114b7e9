/**
 * What an alert rule asks: a metric over a window, compared with a number. It has two forms, an
 * object and a text such as `failure_rate > 5 over 5m`, and the one is turned into the other.
 *
 * The text is read in one pass of a bounded length; nothing in it is looked up in an object, so a
 * word such as `constructor` is an unknown metric like any other.
 */
import { parseDuration } from './duration.ts'

export const ALERT_METRICS = [
  'failure_rate',
  'success_rate',
  'latency',
  'queue_depth',
  'error_count',
  'delivery_count',
] as const
export type AlertMetric = (typeof ALERT_METRICS)[number]

export const ALERT_OPERATORS = ['gt', 'gte', 'lt', 'lte', 'eq', 'ne'] as const
export type AlertOperator = (typeof ALERT_OPERATORS)[number]

export interface AlertCondition {
  metric: AlertMetric
  operator: AlertOperator
  value: number
  /** As Go writes durations: `5m`. */
  window: string
}

export const DEFAULT_WINDOW = '5m'
export const DEFAULT_COOLDOWN = '5m'
const MINUTE_MS = 60_000
const MAX_WINDOW_MS = 30 * 86_400_000
export const MAX_CONDITION_CHARACTERS = 200

const SIGNS: readonly (readonly [sign: string, operator: AlertOperator])[] = [
  ['>=', 'gte'],
  ['<=', 'lte'],
  ['==', 'eq'],
  ['!=', 'ne'],
  ['>', 'gt'],
  ['<', 'lt'],
]

/** Windows and cooldowns. @returns what is wrong; null: nothing */
export function windowProblem(text: string): string | null {
  const ms = parseDuration(text)
  if (ms === null) return 'must be a duration such as 90s, 5m or 1h30m'
  const isIn = ms >= MINUTE_MS && ms <= MAX_WINDOW_MS
  return isIn ? null : 'must be from 1m to 720h (30 days)'
}

/** The milliseconds of a window that has been checked. */
export function windowMs(text: string): number {
  const ms = parseDuration(text)
  if (ms === null) throw new Error(`not a duration: ${text}`)
  return ms
}

export type ParsedCondition =
  | { outcome: 'ok'; condition: AlertCondition }
  /** `column` counts characters from 1. */
  | { outcome: 'invalid'; message: string; column: number }

/** A piece of the text between spaces, or a run of operator characters. */
const TOKEN = /\s*([<>=!]+|[^\s<>=!]+)/y
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/

interface Token {
  text: string
  column: number
}

export function parseCondition(text: string): ParsedCondition {
  if (text.length > MAX_CONDITION_CHARACTERS) {
    return invalid(`is longer than ${MAX_CONDITION_CHARACTERS} characters`, 1)
  }
  const tokens = tokensOf(text)
  const end = text.trimEnd().length + 1
  const at = (index: number): Token => tokens[index] ?? { text: '', column: end }
  const [metricAt, signAt, numberAt, overAt, windowAt, restAt] = [0, 1, 2, 3, 4, 5].map(at) as [
    Token,
    Token,
    Token,
    Token,
    Token,
    Token,
  ]
  const metric = ALERT_METRICS.find((one) => one === metricAt.text)
  if (metric === undefined) {
    return invalid(`must begin with one of ${ALERT_METRICS.join(', ')}`, metricAt.column)
  }
  const operator = SIGNS.find(([sign]) => sign === signAt.text)?.[1]
  if (operator === undefined) {
    return invalid('must have one of > >= < <= == != after the metric', signAt.column)
  }
  if (!NUMBER.test(numberAt.text)) {
    return invalid('must have a number after the operator', numberAt.column)
  }
  const value = Number(numberAt.text)
  if (overAt.text === '') {
    return { outcome: 'ok', condition: { metric, operator, value, window: DEFAULT_WINDOW } }
  }
  if (overAt.text !== 'over') {
    return invalid('must go on with over and a duration, or end', overAt.column)
  }
  const problem = windowProblem(windowAt.text)
  if (problem !== null) return invalid(`has a window that ${problem}`, windowAt.column)
  if (restAt.text !== '') return invalid('must end after the duration', restAt.column)
  return { outcome: 'ok', condition: { metric, operator, value, window: windowAt.text } }
}

export function signOf(operator: AlertOperator): string {
  return SIGNS.find(([, one]) => one === operator)?.[0] ?? operator
}

export function conditionText({ metric, operator, value, window }: AlertCondition): string {
  return `${metric} ${signOf(operator)} ${value} over ${window}`
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (;;) {
    const found = TOKEN.exec(text)
    if (found === null) return tokens
    const piece = found[1] as string
    tokens.push({ text: piece, column: TOKEN.lastIndex - piece.length + 1 })
  }
}

function invalid(message: string, column: number): ParsedCondition {
  return { outcome: 'invalid', message, column }
}
