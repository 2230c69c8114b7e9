/** A parsed template: what it consists of. Positions are offsets into its text. */
import type { GoNumber } from './numbers.ts'

export type TemplateNode =
  | { type: 'text'; text: string }
  | { type: 'action'; at: number; pipeline: TemplatePipeline }
  | ({ type: 'if' | 'with' } & TemplateBranch)
  | ({ type: 'range' } & TemplateBranch)
  | { type: 'template'; at: number; name: string; pipeline: TemplatePipeline | null }
  | { type: 'break' | 'continue'; at: number }

export interface TemplateBranch {
  at: number
  pipeline: TemplatePipeline
  body: readonly TemplateNode[]
  otherwise: readonly TemplateNode[] | null
}

/** `$a, $b := first | second`: each command's value is the last argument of the next. */
export interface TemplatePipeline {
  at: number
  variables: readonly string[]
  /** `=` instead of `:=`. */
  assigns: boolean
  commands: readonly TemplateCommand[]
}

/** What is called or looked up, and its arguments. */
export interface TemplateCommand {
  first: TemplateOperand
  args: readonly TemplateOperand[]
}

export type TemplateOperand = { at: number } & (
  | { type: 'constant'; value: boolean | string | GoNumber }
  /** A whole number that no `int` holds: Go refuses it where it is evaluated. */
  | { type: 'overflow'; text: string }
  | { type: 'nil' | 'dot' }
  | { type: 'field'; names: readonly string[] }
  | { type: 'variable'; name: string; names: readonly string[] }
  | { type: 'function'; name: string }
  /** Fields of what another operand evaluates to: `(index .l 0).name`. */
  | { type: 'chain'; of: TemplateOperand; names: readonly string[] }
  | { type: 'pipeline'; pipeline: TemplatePipeline }
)

/** Made by `parseTemplate`, for `renderTemplate`. */
export interface ParsedTemplate {
  text: string
  body: readonly TemplateNode[]
  /** Those that `define` and `block` name. */
  defined: ReadonlyMap<string, readonly TemplateNode[]>
}
