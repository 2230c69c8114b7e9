/** The state of one rendering, and what is in scope within one of its templates. */
import type { StepBudget } from '@posthorn/domain/step-budget'
import type { ParsedTemplate } from './nodes.ts'
import { type GoValue, RenderFailure } from './values.ts'

/** Blocks, calls and parentheses within each other, so that the stack holds them. */
const MAX_NESTING = 400
export const MAX_OUTPUT_BYTES = 64 * 1024

export interface TemplateRendering {
  template: ParsedTemplate
  budget: StepBudget
  escape: (text: string) => string
  output: string[]
  bytes: number
  nesting: number
  /** What is being evaluated, for the message of a failure. */
  at: number
}

/** The variables of one template; the innermost stands last. */
export interface VariableFrame {
  variables: { name: string; value: GoValue }[]
  calls: number
}

export function newFrame(dot: GoValue, calls: number): VariableFrame {
  return { variables: [{ name: '$', value: dot }], calls }
}

export function nest(render: TemplateRendering): void {
  render.nesting++
  if (render.nesting > MAX_NESTING) throw new RenderFailure('blocks are nested too deeply')
}
