/**
 * Renders a template with data, in bounded time and memory: each node, argument, element and piece
 * of text takes steps from a budget, blocks and calls within each other are limited, and so is the
 * output. What is printed by an action can be escaped for whoever reads it; the template's own text
 * is not, so that its markup stays markup and data never becomes any.
 *
 * The same template and data render to the same text each time and on each machine, or fail so.
 */
import { spend, TooCostly } from '@posthorn/domain/step-budget'
import { assign, evaluatePipeline } from './evaluate.ts'
import { formatValue, NO_FLAGS } from './format-value.ts'
import { byteLength, outputText } from './go-strings.ts'
import type { ParsedTemplate, TemplateBranch, TemplateNode, TemplatePipeline } from './nodes.ts'
import { goInt, isGoNumber } from './numbers.ts'
import { positionOf } from './position.ts'
import {
  MAX_OUTPUT_BYTES,
  nest,
  newFrame,
  type TemplateRendering,
  type VariableFrame,
} from './rendering.ts'
import {
  describe,
  type GoValue,
  isList,
  isMap,
  isTruthy,
  RenderFailure,
  sortedKeysOf,
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

/** @param data JSON's values, best read by `parseData` */
export function renderTemplate(
  template: ParsedTemplate,
  data: unknown,
  { escape }: RenderOptions = {},
): RenderOutcome {
  const render: TemplateRendering = {
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
    return { outcome: 'ok', text: render.output.join('') }
  } catch (error) {
    if (error instanceof TooCostly) {
      return { outcome: 'failed', message: `it takes more than ${MAX_RENDER_STEPS} steps` }
    }
    if (!(error instanceof RenderFailure)) throw error
    const { line, column } = positionOf(template.text, render.at)
    return { outcome: 'failed', message: `line ${line}, column ${column}: ${error.message}` }
  }
}

type Leap = 'break' | 'continue' | undefined

function walkList(
  render: TemplateRendering,
  frame: VariableFrame,
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

function walk(
  render: TemplateRendering,
  frame: VariableFrame,
  dot: GoValue,
  node: TemplateNode,
): Leap {
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
    case 'if':
    case 'with':
      return walkBranch(render, frame, dot, node)
  }
}

function write(render: TemplateRendering, text: string): void {
  render.bytes += byteLength(text)
  if (render.bytes > MAX_OUTPUT_BYTES) {
    throw new RenderFailure(`the text is larger than ${MAX_OUTPUT_BYTES} bytes`)
  }
  render.output.push(text)
}

function printValue(render: TemplateRendering, value: GoValue): void {
  const text = value === undefined ? '<no value>' : formatValue(value, 'v', NO_FLAGS, render.budget)
  if (text.length > MAX_OUTPUT_BYTES) throw new RenderFailure('the text is too long')
  write(render, render.escape(outputText(text)))
}

function walkBranch(
  render: TemplateRendering,
  frame: VariableFrame,
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

function walkRange(
  render: TemplateRendering,
  frame: VariableFrame,
  dot: GoValue,
  node: TemplateBranch,
): Leap {
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

function elementsOf(
  render: TemplateRendering,
  value: GoValue,
  pipeline: TemplatePipeline,
): RangeElements {
  const { budget } = render
  if (value === undefined || value === null) return { count: 0, element: noElement }
  if (isList(value)) {
    const element = (at: number) => ({ key: goInt(at), value: valueOf(value[at], budget) })
    return { count: value.length, element }
  }
  if (isMap(value)) {
    const keys = sortedKeysOf(value, budget)
    // Sorting them costs about as much as a step each, and each takes one later.
    spend(budget, keys.length)
    const element = (at: number) => {
      const key = keys[at] as string
      return { key: key.toWellFormed(), value: valueOf(value[key], budget) }
    }
    return { count: keys.length, element }
  }
  render.at = pipeline.at
  // How often to repeat is the template's to say, and never the data's.
  if (isGoNumber(value) && value.whole !== null && value.spelling === null) {
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
  render: TemplateRendering,
  frame: VariableFrame,
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
  render: TemplateRendering,
  frame: VariableFrame,
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
