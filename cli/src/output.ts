/**
 * Where results and remarks go. stdout has the results: lines for people or, with `--json`, NDJSON
 * and nothing else. Progress, questions, warnings and errors are on stderr. All of it passes one
 * place that escapes control characters and blots out the secrets that this process knows.
 */
import { jsonLine, printable } from './terminal-text.ts'

export interface Output {
  isJson: boolean
  /** One result: as JSON, or as lines for people. */
  result(record: unknown, lines: string | readonly string[]): void
  /** A remark on stderr. */
  status(line: string): void
  /** A text that was asked for as it is: a file to be, or a secret. */
  text(exact: string): void
  /** From now on it is blotted out. */
  hide(secret: string): void
}

interface Writable {
  write(text: string): unknown
}

/** A shorter one stands in many a text by chance. */
const MIN_HIDDEN = 8

/** What looks like a key or a secret, such as one that was given where no key belongs. */
export function withoutKeys(text: string): string {
  return text.replaceAll(/(ph_(?:live|test)_|whsec_)[\w+/=-]{8,}/g, '$1•••')
}

export function createOutput(isJson: boolean, stdout: Writable, stderr: Writable): Output {
  const hidden = new Set<string>()
  const blot = (text: string): string => {
    let blotted = text
    for (const secret of hidden) blotted = blotted.replaceAll(secret, '•••')
    return blotted
  }
  return {
    isJson,
    result(record, lines) {
      if (isJson) stdout.write(`${blot(jsonLine(record))}\n`)
      else
        for (const line of typeof lines === 'string' ? [lines] : lines)
          stdout.write(`${printable(withoutKeys(blot(line)))}\n`)
    },
    status: (line) => void stderr.write(`${printable(withoutKeys(blot(line)))}\n`),
    text: (exact) => void stdout.write(exact),
    hide(secret) {
      if (secret.length < MIN_HIDDEN) return
      // Also as it stands in JSON.
      hidden.add(secret).add(JSON.stringify(secret).slice(1, -1))
    },
  }
}
