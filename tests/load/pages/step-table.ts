/** The times of the steps as a table in Markdown, and what is too slow. Pure. */
import type { StepTime } from './measure-steps.ts'

export interface StepTable {
  lines: string[]
  /** Each step whose median is above the limit. */
  slow: string[]
}

/** @param limitMs of a median */
export function tableOf(
  times: { cold: readonly StepTime[]; warm: readonly StepTime[] },
  limitMs: number,
): StepTable {
  const cold = byStep(times.cold)
  const warm = byStep(times.warm)
  const names = [...cold.keys()]
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const lines = names.map((name) => {
    const [first, again] = [cold.get(name) ?? [], warm.get(name) ?? []]
    return row([name, text(middle(first)), text(max(first)), text(middle(again)), text(max(again))])
  })
  const head = ['', 'cold, median', 'slowest', 'warm, median', 'slowest']
  const slow = names.flatMap((name) => [
    ...(middle(cold.get(name) ?? []) > limitMs ? [`${name}, cold`] : []),
    ...(middle(warm.get(name) ?? []) > limitMs ? [`${name}, warm`] : []),
  ])
  return { lines: [row(head), '|---|---|---|---|---|', ...lines], slow }
}

function byStep(times: readonly StepTime[]): Map<string, number[]> {
  const groups = Map.groupBy(times, ({ step }) => `${step.page}: ${step.what}`)
  return new Map([...groups].map(([name, all]) => [name, all.map(({ ms }) => ms)]))
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function max(values: readonly number[]): number {
  return Math.max(...values)
}

function text(ms: number): string {
  return `${Math.round(ms)} ms`
}
