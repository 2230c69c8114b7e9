/**
 * Holds code and comments to the words of `docs/glossary.md`: words of our own that the field has a
 * better one for are refused, with what to write instead. Comments are whole sentences, and they
 * and SQL wrap at 100 columns.
 */
import { expect, test } from '@jest/globals'
import { isCode, readFiles, type SourceFile } from './source-files.ts'
import { commentsOf, partsOf, type SourceParts } from './source-parts.ts'

interface Refusal {
  /** `name`: in code; `comment`: a whole comment, its first word first. */
  where: 'name' | 'comment'
  pattern: RegExp
  instead: string
}

const REFUSED: readonly Refusal[] = [
  {
    where: 'name',
    // As the key of an object it is a column of the database.
    pattern: /(?<!\.)\btries\b(?!\??:)|\b(triesBefore|tryDelivery|MAX_TRIES(?!_IN_FLIGHT)\w*)\b/,
    instead: 'attempts, attemptsBefore, sendAttempt',
  },
  {
    where: 'comment',
    pattern:
      /\b(an?|the|each|every|one|this|that|first|last|next|failed|longest|later|per|its) try\b|\b(the|of|all|more|many|its|no|\d+) tries\b/i,
    instead: 'attempt, attempts; the verb "try again" is fine',
  },
  {
    where: 'name',
    pattern: /\b(Held\w*Backlog|holding|unhold)\b/,
    instead: 'owned, owner, ownership, park',
  },
  {
    where: 'name',
    pattern: /\b(judge[sd]?|judging|verdicts?)\b|\b(Judge|Verdict)\w*\b/,
    instead: 'evaluate, classify, verify; outcome, result',
  },
  {
    where: 'comment',
    pattern: /\b(judge[sd]?|judging|verdicts?)\b/i,
    instead: 'evaluate, classify, verify, check; outcome, result',
  },
  { where: 'name', pattern: /\b(notices?|\w*Notices?)\b/, instead: 'operational event' },
  {
    where: 'name',
    pattern: /\b(interface|type) (Reading|Works?|Lines?|Way|Days|Turns|Passage|Parking|Sent)\b/,
    instead:
      'RequestView; LeasedDelivery, InFlightSet; TargetQueue, FairScheduler; ResolvedTarget; ' +
      'PartitionBounds; Mutex; CircuitPermit, BacklogGate',
  },
  { where: 'name', pattern: /\b(suspects?|Suspects?)\b/, instead: 'slow target; untrusted script' },
  { where: 'name', pattern: /\b(turns|[cC]reateTurns|daysOf)\b/, instead: 'mutex; boundsOf' },
  { where: 'name', pattern: /\bfew\(/, instead: 'selectivityHint(' },
  { where: 'name', pattern: /\b(mend|mends|mended)\b|\bmend[A-Z]\w*/, instead: 'repair' },
  { where: 'comment', pattern: /\b(mend|mends|mended|mending)\b/i, instead: 'repair' },
  { where: 'name', pattern: /\b(CircuitSign|circuitSign)\b/, instead: 'HealthSignal' },
  {
    where: 'name',
    pattern: /\b(bury|buried|burials?|startLife)\b/,
    instead: 'dispose, dead-letter; session',
  },
  { where: 'name', pattern: /\bremembering\b/, instead: 'memoize' },
  { where: 'name', pattern: /\b(lapse|lapsed|\w*Lapse[sd]?)\b/, instead: 'visibility timeout' },
  { where: 'name', pattern: /\b\w*[mM]isfortune\w*\b/, instead: 'fault, fault injection' },
  { where: 'comment', pattern: /\bmisfortunes?\b/i, instead: 'fault, fault injection' },
  {
    where: 'comment',
    pattern: /^(Of|Whose) /,
    instead: 'a whole sentence, or a noun phrase that names its subject',
  },
]

/** Where a refused word is the right one. */
const EXCEPTIONS: readonly { path: string; pattern: RegExp; reason: string }[] = [
  {
    path: 'libs/store/src/plans.int.test.ts',
    pattern: /notice/,
    reason: 'the event of pg for what Postgres raises as a NOTICE',
  },
]

interface ModuleParts extends SourceFile, SourceParts {
  lines: string[]
}

const modules: readonly ModuleParts[] = readFiles()
  .filter(isCode)
  .filter(({ path }) => /^(cli|libs|services|tests|scripts)\//.test(path))
  // This folder names what it refuses.
  .filter(({ path }) => !path.startsWith('tests/tidy/') && !path.includes('/public/'))
  .map((file) => ({ ...file, ...partsOf(file.text), lines: file.text.split('\n') }))

function expectNone(places: readonly string[], fix: string): void {
  if (places.length > 0) throw new Error(`${places.join('\n')}\n\nTo fix it: ${fix}`)
}

function placesOf(file: ModuleParts, { where, pattern }: Refusal): string[] {
  const isExcepted = (line: string): boolean =>
    EXCEPTIONS.some((one) => one.path === file.path && one.pattern.test(line))
  const found =
    where === 'comment'
      ? commentsOf(file.comments).filter(({ text }) => pattern.test(text))
      : file.code.flatMap((line, at) => (pattern.test(line) ? [{ line: at + 1, text: '' }] : []))
  return found.flatMap(({ line, text }) => {
    const shown = text === '' ? (file.lines[line - 1] as string).trim() : text
    return isExcepted(shown) ? [] : [`${file.path}:${line}: ${shown.slice(0, 120)}`]
  })
}

test('the rules tell code, comments and texts apart', () => {
  const text = [
    "const a = 'judge' // Of a judge",
    'const b = `SELECT tries ${few(tries)} FROM d` /* mend */ + /"\\/\\/`/.source',
    '/**',
    ' * Of two lines,',
    ' * one after the other.',
    ' */',
    '// This one',
    '// goes on.',
  ].join('\n')
  const parts = partsOf(text)
  expect(parts.code[0]).toContain("const a = '")
  expect(parts.code[0]).not.toMatch(/judge/)
  expect(parts.code[1]?.match(/tries/g)).toHaveLength(1)
  expect(parts.code[1]).toContain('.source')
  expect(parts.texts[1]).toMatch(/SELECT tries .* FROM d/)
  expect(commentsOf(parts.comments)).toEqual([
    { line: 1, text: 'Of a judge' },
    { line: 2, text: 'mend' },
    { line: 3, text: 'Of two lines, one after the other.' },
    { line: 7, text: 'This one goes on.' },
  ])
})

test.each(
  REFUSED.map((refusal) => [`${refusal.where} ${refusal.pattern.source}`, refusal] as const),
)('refused as a %s', (_name, refusal) => {
  expectNone(
    modules.flatMap((file) => placesOf(file, refusal)),
    `write ${refusal.instead} (docs/glossary.md).`,
  )
})

test('every exception is still needed', () => {
  const unused = EXCEPTIONS.filter(
    ({ path, pattern }) => !modules.some((file) => file.path === path && pattern.test(file.text)),
  )
  expectNone(
    unused.map(({ path, reason }) => `${path}: ${reason}`),
    'remove it from the list.',
  )
})

const MAX_COLUMNS = 100
const SQL = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|FROM|WHERE|JOIN|RETURNING|VALUES|SET)\b/

test('comments wrap at 100 columns', () => {
  const wrong = modules.flatMap(({ path, comments, lines }) =>
    lines.flatMap((line, at) =>
      line.length > MAX_COLUMNS &&
      (comments[at] as string).trim() !== '' &&
      !/https?:\/\//.test(line)
        ? [`${path}:${at + 1}: ${line.length} columns`]
        : [],
    ),
  )
  expectNone(wrong, 'wrap it; a comment behind code goes above it.')
})

test('SQL wraps at 100 columns', () => {
  const wrong = modules.flatMap(({ path, texts, lines }) =>
    lines.flatMap((line, at) =>
      // Texts about platforms name SQL's verbs in prose.
      !path.startsWith('libs/inbound/src/platforms/') &&
      line.length > MAX_COLUMNS &&
      SQL.test(texts[at] as string)
        ? [`${path}:${at + 1}: ${line.length} columns`]
        : [],
    ),
  )
  expectNone(wrong, 'break the statement where a clause begins.')
})

test('a function over 70 lines says why it stays whole', () => {
  const silent = modules.flatMap(({ path, comments }) =>
    comments.flatMap((line, at) =>
      /oxlint-disable(-next-line)?\b.*max-lines-per-function(?!.* -- \w+ \w+)/.test(line)
        ? [`${path}:${at + 1}`]
        : [],
    ),
  )
  expectNone(silent, 'write the reason behind the rule: `… max-lines-per-function -- <reason>`.')
})

/**
 * Types that say the same in two libraries of one layer, which may not import each other; TypeScript
 * holds each to the other where a service passes one on.
 */
const SHARED_TYPES = ['FoundKey']

test('an exported type name has one meaning', () => {
  const declared = new Map<string, string[]>()
  for (const { path, code } of modules) {
    if (!/^(libs|services)\/[^/]+\/src\//.test(path) || /\.(test|fixture|signer)\.ts$/.test(path))
      continue
    for (const line of code) {
      const name = /^export (?:interface|type) ([A-Z]\w*)/.exec(line)?.[1]
      if (name !== undefined) declared.set(name, [...(declared.get(name) ?? []), path])
    }
  }
  expect(declared.size).toBeGreaterThan(300)
  const twice = [...declared].filter(
    ([name, paths]) => paths.length > 1 && !SHARED_TYPES.includes(name),
  )
  expectNone(
    twice.map(([name, paths]) => `${name}: ${paths.join(', ')}`),
    'say in the name what each of them is of.',
  )
})
