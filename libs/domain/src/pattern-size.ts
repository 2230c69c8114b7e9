/**
 * How large a pattern would be once it is compiled, estimated from its text alone and in one pass:
 * the compiler itself would take seconds for `a{1000}` a hundred times. The estimate is never below
 * the true size, so what passes here compiles quickly, and often a little above it. It does not
 * tell whether the pattern is well formed.
 */

export interface PatternSize {
  /** Instructions of the compiled program, at most. */
  instructions: number
  /** Classes that stand for thousands of characters, each of which is built range by range. */
  wideClasses: number
}

const REPEAT = /\{(\d+)(?:,(\d*))?\}/y
const NAMED_CLASS = /\\[pPx](?:\{[^}]*\}|.)?/suy
const RANGE = /(\\x\{[0-9a-fA-F]+\}|.)-(\\x\{[0-9a-fA-F]+\}|\\?.)/gsu
/** Folding the letters of this many characters takes as long as one class of Unicode's: 0.25 ms. */
const FOLDED_PER_CLASS = 4_096

interface Open {
  /** Instructions of everything before the last part. */
  total: number
  /** Instructions of the last part, which a repetition after it multiplies. */
  last: number
}

export function sizeOfPattern(pattern: string): PatternSize {
  const folds = /\(\?[a-zA-Z]*i/.test(pattern)
  const groups: Open[] = []
  let wideClasses = 0
  let open: Open = { total: 3, last: 0 }
  const part = (size: number): void => {
    open = { total: open.total + open.last, last: size }
  }
  for (let at = 0; at < pattern.length; ) {
    const character = pattern[at] as string
    const next = endOfAtom(pattern, at)
    if (character === '(') {
      groups.push({ total: open.total + open.last, last: 0 })
      // An empty group is an instruction too.
      open = { total: 1, last: 0 }
    } else if (character === ')') {
      const size = open.total + open.last + 2
      open = groups.pop() ?? { total: 0, last: 0 }
      part(size)
    } else if (character === '|') part(2)
    else if (character === '*' || character === '+' || character === '?') open.last += 1
    else if (character === '{') {
      REPEAT.lastIndex = at
      const times = REPEAT.exec(pattern)
      if (times === null) part(1)
      else {
        open.last = repeated(open.last, times)
        at += times[0].length
        continue
      }
    } else {
      const atom = pattern.slice(at, next)
      // Quoted text has as many parts as characters; a class or an escape is one part.
      part(atom.startsWith('\\Q') ? atom.length : 1)
      if (character === '[' || character === '\\') wideClasses += wideIn(atom, folds)
    }
    at = next
  }
  // A pattern with unclosed groups is invalid, which the compiler reports.
  const unclosed = groups.reduce((sum, { total }) => sum + total, 0)
  return { instructions: unclosed + open.total + open.last, wideClasses }
}

function repeated(size: number, [, least = '0', most]: RegExpExecArray): number {
  const from = Number(least)
  // An optional repetition has a choice in front of it each time.
  if (most !== undefined && most !== '') return Math.max(1, from, Number(most)) * (size + 1)
  return Math.max(1, from) * Math.max(1, size) + 1
}

/** Where the character, escape, quoted text or class at `at` ends. */
function endOfAtom(pattern: string, at: number): number {
  const character = pattern[at]
  if (character === '[') return endOfClass(pattern, at)
  if (character !== '\\') return at + 1
  if (pattern[at + 1] === 'Q') {
    const end = pattern.indexOf('\\E', at + 2)
    return end === -1 ? pattern.length : end + 2
  }
  return endOfEscape(pattern, at)
}

function endOfEscape(pattern: string, at: number): number {
  NAMED_CLASS.lastIndex = at
  return NAMED_CLASS.test(pattern) ? NAMED_CLASS.lastIndex : at + 2
}

function endOfClass(pattern: string, from: number): number {
  let at = from + (pattern[from + 1] === '^' ? 2 : 1)
  // A bracket that comes first is a character of the class.
  if (pattern[at] === ']') at += 1
  while (at < pattern.length && pattern[at] !== ']') {
    if (pattern[at] === '\\') at = endOfEscape(pattern, at)
    else if (pattern.startsWith('[:', at) && pattern.includes(':]', at + 2)) {
      at = pattern.indexOf(':]', at + 2) + 2
    } else at += 1
  }
  return at + 1
}

/**
 * Unicode's classes have up to 700 ranges. A range of other characters is one step, unless letters
 * are folded: then each of its characters is one.
 */
function wideIn(atom: string, folds: boolean): number {
  const named = atom.match(/\\[pP]/g)?.length ?? 0
  if (!folds || !atom.startsWith('[')) return named
  const ranges = [...atom.matchAll(RANGE)]
  const folded = ranges.reduce((sum, [, from = '', to = '']) => sum + codeOf(to) - codeOf(from), 0)
  return named + Math.max(0, folded) / FOLDED_PER_CLASS
}

/** A shorter escape stands for a character below 512; the estimate takes the largest. */
function codeOf(end: string): number {
  if (end.startsWith('\\x{')) return Number.parseInt(end.slice(3, -1), 16)
  return end.length > 1 && end.startsWith('\\') ? 511 : (end.codePointAt(0) ?? 0)
}
