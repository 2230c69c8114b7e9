/**
 * Renders a template with data, in bounded time and memory: each node, argument, element and piece
 * of text takes steps from a budget, blocks and calls within each other are limited, and so is the
 * output. What is printed by an action can be escaped for whoever reads it; the template's own text
 * is not, so that its markup stays markup and data never becomes any.
 *
 * The same template and data render to the same text each time and on each machine, or fail so.
 */
import { type StepBudget, spend, TooCostly } from '@posthorn/domain/step-budget'
import { NO_FLAGS, formatValue } from './format-value.ts'
import { FUNCTIONS } from './functions.ts'
import { compareStrings, outputText } from './go-strings.ts'
import type {
  ParsedTemplate,
  TemplateBranch,
  TemplateCommand,
  TemplateNode,
  TemplateOperand,
  TemplatePipeline,
} from './nodes.ts'
import { GoNumber, goInt } from './numbers.ts'
import { positionOf } from './position.ts'
import {
  describe,
  type GoValue,
  isList,
  isMap,
  isTruthy,
  keysOf,
  RenderFailure,
  valueOf,
} from './values.ts'

export interface RenderOptions {
  /** Applied to what each action prints. */
  escape?: (text: string) => string
}

export type RenderOutcome = { outcome: 'ok'; text: string } | { outcome: 'failed'; message: string }

/** A step takes up to a microsecond or two. */
export const MAX_RENDER_STEPS = 10_000
/** Templates that call each other. */
const MAX_CALLS = 100
/** Blocks, calls and parentheses within each other, so that the stack holds them. */
const MAX_NESTING = 400
export const MAX_OUTPUT_BYTES = 64 * 1024

/** @param data JSON's values, best read by `parseData` */
export function renderTemplate(
  template: ParsedTemplate,
  data: unknown,
  { escape }: RenderOptions = {},
): RenderOutcome {
  const render: Render = {
    template,
    budget: { left: MAX_RENDER_STEPS },
    escape: escape ?? ((text) => text),
    output: [],
    bytes: 0,
    nesting: 0,
    at: 0,
  }
  try {
    // Go's own nil at the top is no value.
    const dot = valueOf(data, render.budget) ?? undefined
    walkList(render, newFrame(dot, 0), dot, template.body)
    return { outcome: 'ok', text: outputText(render.output.join('')) }
  } catch (error) {
    if (error instanceof TooCostly) {
      return { outcome: 'failed', message: `it takes more than ${MAX_RENDER_STEPS} steps` }
    }
    if (!(error instanceof RenderFailure)) throw error
    const { line, column } = positionOf(template.text, render.at)
    return { outcome: 'failed', message: `line ${line}, column ${column}: ${error.message}` }
  }
}

interface Render {
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
interface Frame {
  variables: { name: string; value: GoValue }[]
  calls: number
}

function newFrame(dot: GoValue, calls: number): Frame {
  return { variables: [{ name: '$', value: dot }], calls }
}

type Leap = 'break' | 'continue' | undefined

function walkList(
  render: Render,
  frame: Frame,
  dot: GoValue,
  nodes: readonly TemplateNode[],
): Leap {
  nest(render)
  for (const node of nodes) {
    const leap = walk(render, frame, dot, node)
    if (leap !== undefined) {
      render.nesting--
      return leap
    }
  }
  render.nesting--
  return undefined
}

function nest(render: Render): void {
  render.nesting++
  if (render.nesting > MAX_NESTING) throw new RenderFailure('blocks are nested too deeply')
}

function walk(render: Render, frame: Frame, dot: GoValue, node: TemplateNode): Leap {
  spend(render.budget, 1)
  switch (node.type) {
    case 'text':
      write(render, node.text)
      return undefined
    case 'action': {
      const value = evaluatePipeline(render, frame, dot, node.pipeline)
      if (node.pipeline.variables.length === 0) printValue(render, value)
      return undefined
    }
    case 'break':
    case 'continue':
      return node.type
    case 'template':
      callTemplate(render, frame, dot, node)
      return undefined
    case 'range':
      return walkRange(render, frame, dot, node)
    default:
      return walkBranch(render, frame, dot, node)
  }
}

function write(render: Render, text: string): void {
  render.bytes += Buffer.byteLength(text)
  if (render.bytes > MAX_OUTPUT_BYTES) {
    throw new RenderFailure(`the text is larger than ${MAX_OUTPUT_BYTES} bytes`)
  }
  render.output.push(text)
}

function printValue(render: Render, value: GoValue): void {
  const text =
    value === undefined ? '<no value>' : formatValue(value, 'v', NO_FLAGS, render.budget)
  if (text.length > MAX_OUTPUT_BYTES) throw new RenderFailure('the text is too long')
  write(render, render.escape(outputText(text)))
}

function walkBranch(
  render: Render,
  frame: Frame,
  dot: GoValue,
  node: TemplateBranch & { type: 'if' | 'with' },
): Leap {
  const inScope = frame.variables.length
  const value = evaluatePipeline(render, frame, dot, node.pipeline)
  const isTaken = isTruthy(value)
  const inside = isTaken && node.type === 'with' ? value : dot
  const leap = walkList(render, frame, inside, (isTaken ? node.body : node.otherwise) ?? [])
  frame.variables.length = inScope
  return leap
}

function walkRange(render: Render, frame: Frame, dot: GoValue, node: TemplateBranch): Leap {
  const { pipeline, body, otherwise } = node
  const outside = frame.variables.length
  const value = evaluatePipeline(render, frame, dot, pipeline)
  const inScope = frame.variables.length
  const elements = elementsOf(render, value, pipeline)
  let leap: Leap
  for (let at = 0; at < elements.count; at++) {
    spend(render.budget, 1)
    const element = elements.element(at)
    assignElement(render, frame, pipeline, element)
    leap = walkList(render, frame, element.value, body)
    frame.variables.length = inScope
    if (leap === 'break') break
  }
  if (elements.count === 0 && otherwise !== null) walkList(render, frame, dot, otherwise)
  frame.variables.length = outside
  return undefined
}

interface RangeElement {
  key: GoValue
  value: GoValue
}

interface RangeElements {
  count: number
  element(at: number): RangeElement
}

function elementsOf(render: Render, value: GoValue, pipeline: TemplatePipeline): RangeElements {
  const { budget } = render
  if (value === undefined || value === null) return { count: 0, element: noElement }
  if (isList(value)) {
    const element = (at: number) => ({ key: goInt(at), value: valueOf(value[at], budget) })
    return { count: value.length, element }
  }
  if (isMap(value)) {
    const keys = keysOf(value, budget)
    // Sorting them costs about as much as a step each, and each takes one later.
    spend(budget, keys.length)
    keys.sort(compareStrings)
    const element = (at: number) => {
      const key = keys[at] as string
      return { key: key.toWellFormed(), value: valueOf(value[key], budget) }
    }
    return { count: keys.length, element }
  }
  render.at = pipeline.at
  // How often to repeat is the template's to say, and never the data's.
  if (value instanceof GoNumber && value.whole !== null && value.spelling === null) {
    if (pipeline.variables.length > 1) {
      throw new RenderFailure('range over a number takes one variable')
    }
    const element = (at: number) => ({ key: undefined, value: goInt(at) })
    return { count: Math.max(Number(value.whole), 0), element }
  }
  throw new RenderFailure(`range can't iterate over ${describe(value)}`)
}

function noElement(): RangeElement {
  return { key: undefined, value: undefined }
}

/** With one variable it is the element, with two the first is its key. */
function assignElement(
  render: Render,
  frame: Frame,
  { variables, assigns, at }: TemplatePipeline,
  { key, value }: RangeElement,
): void {
  const values = variables.length > 1 ? [key, value] : [value]
  for (const [index, name] of variables.entries()) {
    if (assigns) assign(render, frame, name, values[index], at)
    else {
      const place = frame.variables[frame.variables.length - variables.length + index]
      if (place !== undefined) place.value = values[index]
    }
  }
}

function callTemplate(
  render: Render,
  frame: Frame,
  dot: GoValue,
  node: Extract<TemplateNode, { type: 'template' }>,
): void {
  const { name, pipeline } = node
  const passed = pipeline === null ? undefined : evaluatePipeline(render, frame, dot, pipeline)
  render.at = node.at
  if (frame.calls >= MAX_CALLS) {
    throw new RenderFailure(`templates call each other more than ${MAX_CALLS} deep`)
  }
  const nodes = render.template.defined.get(name) ?? []
  walkList(render, newFrame(passed, frame.calls + 1), passed, nodes)
}

/** Stands for the value of the command before, where there is none. */
const NOTHING = Symbol('nothing')
type Piped = GoValue | typeof NOTHING

function evaluatePipeline(
  render: Render,
  frame: Frame,
  dot: GoValue,
  pipeline: TemplatePipeline,
): GoValue {
  nest(render)
  let piped: Piped = NOTHING
  for (const command of pipeline.commands) {
    // A null becomes no value, as Go looks into the interface that holds it.
    piped = evaluateCommand(render, frame, dot, command, piped) ?? undefined
  }
  const value = piped as GoValue
  for (const name of pipeline.variables) {
    if (pipeline.assigns) assign(render, frame, name, value, pipeline.at)
    else frame.variables.push({ name, value })
  }
  render.nesting--
  return value
}

function assign(render: Render, frame: Frame, name: string, value: GoValue, at: number): void {
  const variable = frame.variables.findLast((one) => one.name === name)
  render.at = at
  if (variable === undefined) throw new RenderFailure(`undefined variable ${name}`)
  variable.value = value
}

function evaluateCommand(
  render: Render,
  frame: Frame,
  dot: GoValue,
  { first, args }: TemplateCommand,
  piped: Piped,
): GoValue {
  spend(render.budget, 1)
  render.at = first.at
  const hasArguments = args.length > 0 || piped !== NOTHING
  switch (first.type) {
    case 'function':
      return callFunction(render, frame, dot, first, args, piped)
    case 'field':
      return fieldsOf(render, dot, first, first.names, hasArguments)
    case 'chain': {
      const value = evaluateOperand(render, frame, dot, first.of)
      return fieldsOf(render, value, first, first.names, hasArguments)
    }
    case 'variable': {
      const value = variableOf(frame, first.name)
      if (first.names.length > 0) {
        return fieldsOf(render, value, first, first.names, hasArguments)
      }
      break
    }
    case 'nil':
      throw new RenderFailure('nil is no value to print')
    default:
  }
  if (hasArguments) throw new RenderFailure('what takes arguments must be a function')
  return evaluateOperand(render, frame, dot, first)
}

function variableOf(frame: Frame, name: string): GoValue {
  const variable = frame.variables.findLast((one) => one.name === name)
  if (variable === undefined) throw new RenderFailure(`undefined variable ${name}`)
  return variable.value
}

/** An operand by itself: an argument, or a command of its own. */
function evaluateOperand(
  render: Render,
  frame: Frame,
  dot: GoValue,
  operand: TemplateOperand,
): GoValue {
  spend(render.budget, 1)
  render.at = operand.at
  switch (operand.type) {
    case 'constant':
      return operand.value
    case 'overflow':
      throw new RenderFailure(`${operand.text} is too large a number`)
    case 'nil':
      return undefined
    case 'dot':
      return dot
    case 'field':
      return fieldsOf(render, dot, operand, operand.names, false)
    case 'variable':
      return fieldsOf(render, variableOf(frame, operand.name), operand, operand.names, false)
    case 'function':
      return callFunction(render, frame, dot, operand, [], NOTHING)
    case 'chain': {
      const value = evaluateOperand(render, frame, dot, operand.of)
      return fieldsOf(render, value, operand, operand.names, false)
    }
    default:
      return evaluatePipeline(render, frame, dot, operand.pipeline)
  }
}

function fieldsOf(
  render: Render,
  from: GoValue,
  { at }: { at: number },
  names: readonly string[],
  hasArguments: boolean,
): GoValue {
  let value = from
  for (const [index, name] of names.entries()) {
    render.at = at
    spend(render.budget, 1)
    // What is missing has only missing fields; a null has none.
    if (value === undefined) continue
    if (!isMap(value)) {
      throw new RenderFailure(`${describe(value)} has no field ${JSON.stringify(name)}`)
    }
    if (hasArguments && index === names.length - 1) {
      throw new RenderFailure(`the field ${JSON.stringify(name)} takes no arguments`)
    }
    value = Object.hasOwn(value, name) ? valueOf(value[name], render.budget) : undefined
  }
  return value
}

function callFunction(
  render: Render,
  frame: Frame,
  dot: GoValue,
  { name, at }: { name: string; at: number },
  args: readonly TemplateOperand[],
  piped: Piped,
): GoValue {
  if (name === 'and' || name === 'or') {
    return evaluateLogic(render, frame, dot, name, args, piped)
  }
  const called = FUNCTIONS[name]
  if (called === undefined) throw new RenderFailure(`function ${name} is not defined`)
  const given = args.length + (piped === NOTHING ? 0 : 1)
  if (given < called.least || given > called.most) throw wrongCount(name, given)
  const values = args.map((arg) => evaluateOperand(render, frame, dot, arg))
  if (piped !== NOTHING) values.push(piped)
  render.at = at
  if (called.takesText === true && typeof values[0] !== 'string') {
    throw new RenderFailure(`${name} needs a text first, not ${describe(values[0])}`)
  }
  const value = called.call(values, render.budget)
  if (typeof value === 'string' && value.length > MAX_OUTPUT_BYTES) {
    throw new RenderFailure(`${name} makes too long a text`)
  }
  return value
}

function wrongCount(name: string, given: number): RenderFailure {
  return new RenderFailure(`${name} does not take ${given} arguments`)
}

/** The first argument that decides, or the last; those behind it are not evaluated. */
function evaluateLogic(
  render: Render,
  frame: Frame,
  dot: GoValue,
  name: 'and' | 'or',
  args: readonly TemplateOperand[],
  piped: Piped,
): GoValue {
  if (args.length === 0 && piped === NOTHING) throw wrongCount(name, 0)
  let value: GoValue
  for (const arg of args) {
    value = evaluateOperand(render, frame, dot, arg)
    if (isTruthy(value) === (name === 'or')) return value
  }
  return piped === NOTHING ? value : piped
}
