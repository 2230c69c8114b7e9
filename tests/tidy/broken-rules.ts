/** The places of the code that break a rule, and how a rule fails. */
import { codeOf, isCode, isTest, readFiles, type SourceFile } from './source-files.ts'

export const files = readFiles()
export const code = files.filter(isCode)
export const product = code.filter(
  (file) => /^(libs|services)\/[^/]+\/src\//.test(file.path) && !isTest(file),
)

/** Fails with every place and with what to do there. */
export function expectNone(places: readonly string[], fix: string): void {
  if (places.length > 0) throw new Error(`${places.join('\n')}\n\nTo fix it: ${fix}`)
}

/** `path:line` of every match outside comments and strings. */
export function places(from: readonly SourceFile[], pattern: RegExp): string[] {
  return from.flatMap(({ path, text }) =>
    codeOf(text)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  )
}
