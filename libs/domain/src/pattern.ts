/**
 * Regular expressions of tenants (RE2's syntax and meaning), matched in steps that are counted.
 *
 * The library parses and compiles. Its program is run here, by Thompson's simulation of all
 * alternatives at once, for two reasons. The library's own automaton takes 200 ns for each
 * instruction of the program and character of the text where a pattern makes it build new states
 * all the time (0.6 s for `a[ab]{480}[cd]` on 65,000 characters). It also reports no cost and keeps
 * up to 8 MiB a pattern. Here a step is one live alternative at one character, memory is the
 * program alone, and the search ends when the budget does. Both find the same: `pattern.test.ts`
 * compares them. The figures are in docs/decisions/0017-bounded-patterns-and-schemas.md.
 */
import { RE2JS } from 're2js'
import { sizeOfPattern } from './pattern-size.ts'
import { type StepBudget, TooCostly } from './step-budget.ts'

export type CompiledPattern =
  | {
      outcome: 'ok'
      /**
       * Whether the pattern is found anywhere in the text; throws `TooCostly` beyond the budget.
       */
      test(text: string, budget: StepBudget): boolean
      instructions: number
      /** An estimate of the memory that it takes. */
      bytes: number
    }
  | { outcome: 'invalid'; reason: string }

export const MAX_PATTERN_CHARACTERS = 1_000
/** `[a-z]{100}` has some 100. Compiling takes 3 us for each. */
export const MAX_PATTERN_INSTRUCTIONS = 1_000
/** Classes such as `\pL`, which take 0.25 ms each: 8 ms together. */
const MAX_WIDE_CLASSES = 32
const INSTRUCTIONS_PER_WIDE_CLASS = 80
/** The shortest pattern takes 100 us to compile. */
const INSTRUCTIONS_PER_PATTERN = 40

/** The library's numbers for its instructions. */
const ALT = 1
const ALT_MATCH = 2
const CAPTURE = 3
const EMPTY_WIDTH = 4
const FAIL = 5
const MATCH = 6
const NOP = 7
const RUNE = 8
const RUNE_ANY = 10
const RUNE_ANY_NOT_NEWLINE = 11

/** What an empty-width instruction can require, as the library numbers it. */
const BEGIN_LINE = 1
const END_LINE = 2
const BEGIN_TEXT = 4
const END_TEXT = 8
const BOUNDARY = 16
const NO_BOUNDARY = 32
const NEWLINE = 10

const LATIN1 = 256
const BYTES_PER_INSTRUCTION = 250

interface Instruction {
  op: number
  out: number
  arg: number
  runes: ArrayLike<number>
  matchRune(rune: number): boolean
}

/**
 * @param budget what this pattern, and others that go with it, may take to compile; an instruction
 *   is a step of 3 us
 * @param syntax `ecmascript` for patterns of JSON Schema, whose escapes differ a little
 */
export function compilePattern(
  text: string,
  budget: StepBudget,
  syntax: 're2' | 'ecmascript' = 're2',
): CompiledPattern {
  if (text.length > MAX_PATTERN_CHARACTERS) {
    return invalid(`must be at most ${MAX_PATTERN_CHARACTERS} characters`)
  }
  const source = syntax === 're2' ? text : RE2JS.translateRegExp(text)
  const size = sizeOfPattern(source)
  if (size.wideClasses > MAX_WIDE_CLASSES) {
    return invalid(`has more than ${MAX_WIDE_CLASSES} classes of thousands of characters`)
  }
  // The estimate includes instructions that the compiler may leave out.
  if (size.instructions > 3 * MAX_PATTERN_INSTRUCTIONS) return tooLarge(size.instructions)
  budget.left -=
    INSTRUCTIONS_PER_PATTERN + size.instructions + size.wideClasses * INSTRUCTIONS_PER_WIDE_CLASS
  if (budget.left < 0) {
    return invalid('is too costly together with the patterns before it: repeat less')
  }
  let program: { inst: Instruction[]; start: number }
  try {
    program = RE2JS.compile(source).re2().prog as typeof program
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return invalid(`is not a pattern that RE2 takes: ${why}`)
  }
  const instructions = program.inst.length
  if (instructions > MAX_PATTERN_INSTRUCTIONS) return tooLarge(instructions)
  const test = createMatcher(program.inst, program.start)
  return { outcome: 'ok', test, instructions, bytes: 1_000 + instructions * BYTES_PER_INSTRUCTION }
}

function tooLarge(instructions: number): CompiledPattern {
  return invalid(
    `is too large a pattern, of ${instructions} instructions where ${MAX_PATTERN_INSTRUCTIONS} ` +
      'are the most: repeat less, or shorter parts',
  )
}

function invalid(reason: string): CompiledPattern {
  return { outcome: 'invalid', reason }
}

// oxlint-disable-next-line max-lines-per-function -- one machine whose state is local for speed
function createMatcher(program: readonly Instruction[], start: number) {
  const size = program.length
  const ops = Uint8Array.from(program, ({ op }) => op)
  const outs = Uint16Array.from(program, ({ out }) => out)
  const args = Uint16Array.from(program, ({ arg }) => arg)
  /** One bit for each of the first 256 characters: whether the instruction matches it. */
  const latin1 = latin1Of(program)
  /** Whether any instruction depends on the characters beside a position in the text. */
  const looksAround = program.some(({ op }) => op === EMPTY_WIDTH)
  /** The pattern can only begin at the start of the text, so later positions need not be tried. */
  const isAnchored = onlyAtStart(program, start)

  /**
   * The live alternatives at a character and at the next one, with a mark for each that is listed.
   */
  let here = new Uint16Array(size)
  let next = new Uint16Array(size)
  const marks = new Float64Array(size)
  const stack = new Uint16Array(size * 2 + 2)
  let mark = 0
  let isMatch = false
  let visited = 0

  /**
   * Adds an alternative and all that it leads to without reading a character.
   * @returns the list's new length
   */
  function add(list: Uint16Array, length: number, from: number, around: number): number {
    let depth = 0
    let count = length
    stack[depth++] = from
    while (depth > 0) {
      const at = stack[--depth] as number
      if (marks[at] === mark) continue
      marks[at] = mark
      visited += 1
      const op = ops[at] as number
      if (op >= RUNE) list[count++] = at
      else if (op === ALT || op === ALT_MATCH) {
        stack[depth++] = args[at] as number
        stack[depth++] = outs[at] as number
      } else if (op === CAPTURE || op === NOP) stack[depth++] = outs[at] as number
      else if (op === EMPTY_WIDTH) {
        if (((args[at] as number) & ~around) === 0) stack[depth++] = outs[at] as number
      } else if (op === MATCH) isMatch = true
      else if (op !== FAIL) throw new Error(`a pattern has an instruction ${op}, which is unknown`)
    }
    return count
  }

  function takes(at: number, code: number): boolean {
    if (code < LATIN1) return ((latin1[at * 8 + (code >> 5)] as number) & (1 << (code & 31))) !== 0
    const op = ops[at] as number
    if (op >= RUNE_ANY) return true
    visited += 4
    return (program[at] as Instruction).matchRune(code)
  }

  return (text: string, budget: StepBudget): boolean => {
    isMatch = false
    let count = 0
    let before = -1
    let code = codeAt(text, 0)
    mark += 1
    for (let at = 0; ; ) {
      visited = 1 + count
      const around = looksAround ? surroundings(before, code) : 0
      // The order of alternatives does not matter here, because only whether there is a match is
      // asked.
      if (at === 0 || !isAnchored) count = add(here, count, start, around)
      if (isMatch) return spent(budget, visited)
      if (code < 0) break
      const width = code > 0xffff ? 2 : 1
      const following = codeAt(text, at + width)
      const aroundNext = looksAround ? surroundings(code, following) : 0
      mark += 1
      let nextCount = 0
      for (let index = 0; index < count; index += 1) {
        const instruction = here[index] as number
        if (takes(instruction, code)) {
          nextCount = add(next, nextCount, outs[instruction] as number, aroundNext)
        }
      }
      spent(budget, visited)
      if (isMatch) return true
      if (nextCount === 0 && isAnchored) return false
      const swapped = here
      here = next
      next = swapped
      count = nextCount
      before = code
      code = following
      at += width
    }
    return !spent(budget, visited)
  }
}

function spent(budget: StepBudget, steps: number): true {
  budget.left -= steps
  if (budget.left < 0) throw new TooCostly()
  return true
}

/** -1 beyond the end. A lone surrogate is a character by itself. */
function codeAt(text: string, at: number): number {
  if (at >= text.length) return -1
  const unit = text.charCodeAt(at)
  return unit < 0xd800 || unit > 0xdbff ? unit : (text.codePointAt(at) as number)
}

function surroundings(before: number, after: number): number {
  let flags = isWord(before) === isWord(after) ? NO_BOUNDARY : BOUNDARY
  if (before < 0) flags |= BEGIN_TEXT | BEGIN_LINE
  else if (before === NEWLINE) flags |= BEGIN_LINE
  if (after < 0) flags |= END_TEXT | END_LINE
  else if (after === NEWLINE) flags |= END_LINE
  return flags
}

function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95
  )
}

function latin1Of(program: readonly Instruction[]): Int32Array {
  const bits = new Int32Array(program.length * 8)
  const known = new Map<ArrayLike<number>, number>()
  for (const [at, instruction] of program.entries()) {
    const { op, runes, arg } = instruction
    if (op < RUNE) continue
    // Each copy of a repeated part shares one list of characters.
    const same = op === RUNE && arg === 0 ? known.get(runes) : undefined
    if (same !== undefined) {
      bits.copyWithin(at * 8, same * 8, same * 8 + 8)
      continue
    }
    if (op === RUNE) known.set(runes, at)
    for (let code = 0; code < LATIN1; code += 1) {
      const taken =
        op === RUNE_ANY ||
        (op === RUNE_ANY_NOT_NEWLINE ? code !== NEWLINE : instruction.matchRune(code))
      if (taken)
        bits[at * 8 + (code >> 5)] = (bits[at * 8 + (code >> 5)] as number) | (1 << (code & 31))
    }
  }
  return bits
}

/**
 * Whether the first instruction that is not the begin of a group requires the start of the text.
 */
function onlyAtStart(program: readonly Instruction[], start: number): boolean {
  let at = start
  for (let steps = 0; steps < program.length; steps += 1) {
    const { op, out, arg } = program[at] as Instruction
    if (op === EMPTY_WIDTH) {
      if ((arg & BEGIN_TEXT) !== 0) return true
    } else if (op !== CAPTURE && op !== NOP) return false
    at = out
  }
  return false
}
