/** Evaluates what stands within actions: pipelines, operands and calls of functions. */
import { spend } from '@posthorn/domain/step-budget'
import { FUNCTIONS } from './functions.ts'
import type { TemplateCommand, TemplateOperand, TemplatePipeline } from './nodes.ts'
import { MAX_OUTPUT_BYTES, nest, type TemplateRendering, type VariableFrame } from './rendering.ts'
import { describe, type GoValue, isMap, isTruthy, RenderFailure, valueOf } from './values.ts'

/** Stands for the value of the command before, where there is none. */
const NOTHING = Symbol('nothing')
type Piped = GoValue | typeof NOTHING

export function evaluatePipeline(
  render: TemplateRendering,
  frame: VariableFrame,
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

export function assign(
  render: TemplateRendering,
  frame: VariableFrame,
  name: string,
  value: GoValue,
  at: number,
): void {
  spend(render.budget, Math.floor(frame.variables.length / VARIABLES_PER_STEP))
  const variable = frame.variables.findLast((one) => one.name === name)
  render.at = at
  if (variable === undefined) throw new RenderFailure(`undefined variable ${name}`)
  variable.value = value
}

function evaluateCommand(
  render: TemplateRendering,
  frame: VariableFrame,
  dot: GoValue,
  { first, args }: TemplateCommand,
  piped: Piped,
): GoValue {
  spend(render.budget, 1)
  render.at = first.at
  const hasArguments = args.length > 0 || piped !== NOTHING
  if (first.type === 'function') return callFunction(render, frame, dot, first, args, piped)
  if (first.type === 'nil') throw new RenderFailure('nil is no value to print')
  if (first.type === 'field') return fieldsOf(render, dot, first, first.names, hasArguments)
  if (first.type === 'chain') {
    const value = evaluateOperand(render, frame, dot, first.of)
    return fieldsOf(render, value, first, first.names, hasArguments)
  }
  if (first.type === 'variable' && first.names.length > 0) {
    const value = variableOf(render, frame, first.name)
    return fieldsOf(render, value, first, first.names, hasArguments)
  }
  if (hasArguments) throw new RenderFailure('what takes arguments must be a function')
  return evaluateOperand(render, frame, dot, first)
}

/** A template may declare many, and look them up through each other. */
const VARIABLES_PER_STEP = 32

function variableOf({ budget }: TemplateRendering, frame: VariableFrame, name: string): GoValue {
  spend(budget, Math.floor(frame.variables.length / VARIABLES_PER_STEP))
  const variable = frame.variables.findLast((one) => one.name === name)
  if (variable === undefined) throw new RenderFailure(`undefined variable ${name}`)
  return variable.value
}

/** An operand by itself: an argument, or a command of its own. */
function evaluateOperand(
  render: TemplateRendering,
  frame: VariableFrame,
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
    case 'variable': {
      const value = variableOf(render, frame, operand.name)
      return fieldsOf(render, value, operand, operand.names, false)
    }
    case 'function':
      return callFunction(render, frame, dot, operand, [], NOTHING)
    case 'chain': {
      const value = evaluateOperand(render, frame, dot, operand.of)
      return fieldsOf(render, value, operand, operand.names, false)
    }
    case 'pipeline':
      return evaluatePipeline(render, frame, dot, operand.pipeline)
  }
}

function fieldsOf(
  render: TemplateRendering,
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
  render: TemplateRendering,
  frame: VariableFrame,
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
  render: TemplateRendering,
  frame: VariableFrame,
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
