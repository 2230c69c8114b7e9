/** The fenced blocks of the documents, with what a comment before one says to the tests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

export interface GuideBlock {
  page: string
  line: number
  language: string
  /** What stands in `<!-- test: … -->` on the line before the block. */
  note: string
  text: string
}

const FENCED = /^(?: *<!-- test: ([^>]*) -->\n)?( *)```(\w*)\n([^]*?)^ *```$/gm

/** @param page relative to the repository */
export function readBlocks(page: string): GuideBlock[] {
  const document = readFileSync(join(root, page), 'utf8')
  return [...document.matchAll(FENCED)].map((found) => {
    const [, note = '', indent = '', language = '', text = ''] = found
    return {
      page,
      line: document.slice(0, found.index).split('\n').length,
      language,
      note,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }
  })
}

/** The name in the first line's comment: of the file that a block is, or of which it is a part. */
export function fileOf({ text }: Pick<GuideBlock, 'text'>): string | undefined {
  return /^(?:\/\/|#|<!--) (\S+\.\w+)(?: -->)?\n/.exec(text)?.[1]
}

/** Whether a block that names a file of the repository stands in that file, line for line. */
export function isInItsFile(block: Pick<GuideBlock, 'text'>): boolean {
  const file = readFileSync(join(root, fileOf(block) ?? ''), 'utf8')
  const [, ...lines] = block.text.split('\n')
  return file.includes(lines.join('\n').trimEnd())
}
