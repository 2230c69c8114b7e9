/**
 * `posthorn import`: applications, endpoints with their secrets, and event types of Svix, Convoy or
 * Outpost. It goes through the records of the other service one by one: first to show what would be
 * done, then, once that is confirmed, to do it. What it made is found again by the ids that it had
 * there, so an import that ended early goes on when it is run again, and one more changes nothing.
 */
import { open, rm } from 'node:fs/promises'
import { isConfirmed } from '../apply/apply.ts'
import { clientOf, connect, type GlobalOptions } from '../connect.ts'
import { failure, usage } from '../failure.ts'
import type { Output } from '../output.ts'
import { jsonLine } from '../terminal-text.ts'
import { createAccounts } from './accounts.ts'
import { convoy } from './convoy.ts'
import { readExport } from './exported.ts'
import { outpost } from './outpost.ts'
import { baseUrlOf, createSourceApi } from './read-source.ts'
import type { SourceService } from './records.ts'
import { createReport, type ImportCounts } from './report.ts'
import { takeBatch } from './run-import.ts'
import { svix } from './svix.ts'

export interface ImportOptions extends GlobalOptions {
  fromUrl?: string
  fromToken?: string
  fromFile?: string
  fromProject?: string
  saveTo?: string
  schemas: boolean
  dryRun?: boolean
  yes?: boolean
}

const SERVICES = { svix, convoy, outpost } as Readonly<Record<string, SourceService>>

export async function importFrom(name: string, options: ImportOptions, out: Output): Promise<void> {
  const service = SERVICES[name]
  if (service === undefined) throw usage(`there is no ${name}: svix, convoy or outpost`)
  const read = sourceOf(service, options, out)
  if (options.saveTo !== undefined) return await save(read(), options.saveTo, out)
  if (options.subAccount !== undefined)
    throw usage('import makes the sub-accounts itself: leave --sub-account out')
  const { posthorn, account } = await connect(options, out)
  const clientFor = (subAccount: string) => clientOf(account, { subAccount })
  const go = async (doesApply: boolean, isShown: boolean): Promise<ImportCounts> => {
    const report = createReport(isShown, out)
    const accounts = createAccounts(posthorn, clientFor)
    const run = { posthorn, accounts, report, doesApply, hasSchemas: options.schemas }
    try {
      for await (const record of read()) await takeBatch(run, service.translate(record, Date.now()))
    } catch (error) {
      if (doesApply) out.status(`ended early; run it again to go on. ${sentence(report.counts)}`)
      throw error
    }
    return report.counts
  }
  const isDryRun = options.dryRun === true
  const isUnasked = options.yes === true && !isDryRun
  let counts = await go(isUnasked, true)
  const changes = counts.created + counts.changed
  if (!isUnasked && !isDryRun && changes > 0) {
    if (!(await isConfirmed(`Make these ${changes} changes?`, '--dry-run')))
      throw failure('not imported')
    counts = await go(true, false)
  }
  const line = (isDryRun ? 'would be: ' : '') + sentence(counts)
  out.result({ action: 'summary', isDryRun, ...counts }, line)
  if (changes > 0) out.status(service.signatures)
  if (counts.failed > 0) throw failure(`${counts.failed} could not be imported`)
}

function sentence({ created, changed, kept, skipped, failed }: ImportCounts): string {
  const rest = failed === 0 ? '' : `, ${failed} refused`
  return `${created} made, ${changed} changed, ${kept} as they were, ${skipped} skipped${rest}`
}

function sourceOf(
  service: SourceService,
  options: ImportOptions,
  out: Output,
): () => AsyncIterable<unknown> {
  const { fromUrl, fromFile, fromProject } = options
  if ((fromUrl === undefined) === (fromFile === undefined))
    throw usage('say --from-url, or --from-file')
  if (fromFile !== undefined) return () => readExport(service, fromFile)
  const token = options.fromToken ?? process.env[service.tokenVariable]
  if (!token)
    throw usage(`${service.name} needs a token: set ${service.tokenVariable}, or say --from-token`)
  if (!/^[\x21-\x7e]+$/.test(token)) throw usage('the token has characters that no token has')
  out.hide(token)
  const api = createSourceApi(service.name, baseUrlOf(fromUrl ?? '', service.defaultPath), token)
  return () => service.read(api, { project: fromProject })
}

/** One record a line, with the secrets: only its owner may read the file. */
async function save(records: AsyncIterable<unknown>, path: string, out: Output): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? usage(`${path} is there: remove it, or name another`) : error
  })
  let count = 0
  let isWhole = false
  try {
    for await (const record of records) {
      await file.write(`${jsonLine(record)}\n`)
      count += 1
    }
    await file.sync()
    isWhole = true
  } finally {
    await file.close()
    if (!isWhole) await rm(path, { force: true })
  }
  out.result({ file: path, count }, `${count} records are in ${path}, with their secrets`)
}
