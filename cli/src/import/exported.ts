/** A saved export: a record of the other service a line, of the same shapes as its API has. */
import { createReadStream } from 'node:fs'
import { isRecord } from '../apply/document.ts'
import { failure } from '../failure.ts'
import { checked } from './read-source.ts'
import type { SourceService } from './records.ts'

/** A record is an application with its endpoints, at most 10,000 of them. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024

export async function* readExport<SourceRecord>(
  { name, shapes }: SourceService<SourceRecord>,
  path: string,
): AsyncGenerator<SourceRecord, void> {
  let at = 0
  for await (const line of linesOf(path)) {
    at += 1
    if (line.trim() === '') continue
    const value = parsed(line, `line ${at} of ${path}`)
    const [, shape] =
      Object.entries(shapes).find(([field]) => isRecord(value) && field in value) ?? []
    if (shape === undefined) {
      const fields = Object.keys(shapes).join(' or ')
      throw failure(`line ${at} of ${path} is no record of ${name}: it has no field ${fields}`)
    }
    yield checked(shape, value, `line ${at} of ${path}`)
  }
}

/** The parser's own message quotes the text, which may hold secrets. */
function parsed(line: string, where: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    throw failure(`${where} is not JSON: an export has one record a line`)
  }
}

async function* linesOf(path: string): AsyncGenerator<string, void> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_CHARACTERS)
      throw failure(`${path} has a line of more than ${MAX_LINE_CHARACTERS} characters`)
    yield* lines
  }
  if (rest !== '') yield rest
}
