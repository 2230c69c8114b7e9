/** `posthorn types`: the event types of an installation as a TypeScript module. */
import { readFile, writeFile } from 'node:fs/promises'
import { connect, type GlobalOptions } from '../connect.ts'
import { failure, usage } from '../failure.ts'
import type { Output } from '../output.ts'
import { typesModule } from './schema-types.ts'

export interface TypesOptions extends GlobalOptions {
  out?: string
  check?: boolean
}

const MAX_EVENT_TYPES = 10_000

export async function writeTypes(options: TypesOptions, out: Output): Promise<void> {
  if (options.check === true && options.out === undefined)
    throw usage('--check compares with a file: give --out')
  const { posthorn } = await connect(options, out)
  const eventTypes = await posthorn.eventTypes.list({ limit: 100 }).toArray(MAX_EVENT_TYPES)
  const text = typesModule(eventTypes)
  if (options.out === undefined) return out.text(text)
  const record = { file: options.out, eventTypes: eventTypes.length }
  if (options.check !== true) {
    await writeFile(options.out, text)
    return out.result(record, `${eventTypes.length} event types are in ${options.out}`)
  }
  const present = await readFile(options.out, 'utf8').catch(() => undefined)
  if (present !== text)
    throw failure(`${options.out} is not as the event types are: write it again`)
  out.result(record, `${options.out} is up to date`)
}
