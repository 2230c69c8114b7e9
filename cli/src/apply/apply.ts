/**
 * `posthorn apply`: makes an installation as a file says, and `posthorn export`, which writes such
 * a file. What was exported and is applied changes nothing.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import type { Posthorn } from '../../../sdks/node/src/posthorn-node.ts'
import { connect, type GlobalOptions } from '../connect.ts'
import { failure, usage } from '../failure.ts'
import type { Output } from '../output.ts'
import { readStandardInput } from '../standard-input.ts'
import {
  type ConfigDocument,
  type Fields,
  type Kind,
  KINDS,
  readDocument,
  writeDocument,
} from './document.ts'
import { CONFIG_KINDS, type Existing, type KindOfConfig } from './kinds.ts'
import { makePlan, planLines, planRecord, type PlanStep } from './make-plan.ts'

export interface ApplyOptions extends GlobalOptions {
  file: string
  plan?: boolean
  drift?: boolean
  prune?: boolean
  yes?: boolean
}

export async function apply(options: ApplyOptions, out: Output): Promise<void> {
  const isFromInput = options.file === '-'
  const text = isFromInput ? await readStandardInput() : await readFile(options.file, 'utf8')
  const { document, secrets } = readDocument(text, process.env)
  for (const secret of secrets) out.hide(secret)
  const { posthorn } = await connect(options, out)
  const existing = await readExisting(
    posthorn,
    KINDS.filter((kind) => document[kind] !== undefined),
  )
  const plan = makePlan(document, existing, CONFIG_KINDS, options.prune === true)
  const changes = plan.filter(({ action }) => ['create', 'update', 'delete'].includes(action))
  for (const step of plan) if (step.action !== 'keep') out.result(planRecord(step), planLines(step))
  out.status(`${changes.length} to change, ${plan.length - changes.length} to leave as they are`)
  if (options.drift === true) {
    if (changes.length > 0) throw failure('the installation is not as the file says')
    return
  }
  if (options.plan === true || changes.length === 0) return
  if (options.yes !== true && !(await isConfirmed(`Apply ${changes.length} changes?`, '--plan')))
    throw failure('not applied')
  await runPlan(posthorn, changes, out)
}

/** @param otherwise the option that only shows what would be done */
export async function isConfirmed(question: string, otherwise: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) throw usage(`nobody is here to ask: say --yes, or ${otherwise}`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(`${question} [y/N] `)
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}

/** It ends at the first change that is refused: the next run goes on from there. */
async function runPlan(
  posthorn: Posthorn,
  changes: readonly PlanStep[],
  out: Output,
): Promise<void> {
  const made = new Map<string, string>()
  let done = 0
  for (const step of changes) {
    try {
      await runStep(posthorn, step, made)
    } catch (error) {
      out.status(`${done} of ${changes.length} changes are applied; this one failed:`)
      out.status(planLines(step)[0] ?? '')
      throw error
    }
    done += 1
  }
  out.status(`${done} changes are applied`)
}

export async function runStep(
  posthorn: Posthorn,
  step: PlanStep,
  made: Map<string, string>,
  kinds: Readonly<Record<Kind, KindOfConfig>> = CONFIG_KINDS,
): Promise<void> {
  const kind = kinds[step.kind]
  if (step.action === 'create') {
    const { endpointId } = step.item
    const item =
      typeof endpointId === 'string'
        ? { ...step.item, endpointId: made.get(endpointId) ?? endpointId }
        : step.item
    const id = await kind.create(posthorn, item)
    if (typeof step.item['id'] === 'string') made.set(step.item['id'], id)
  } else if (step.action === 'update') {
    const names = step.changes.map(({ field }) => field)
    const desired: Fields = { ...kind.expand(step.item, step.existing) }
    // With its credentials, which the comparison does without.
    if (step.item['storageConfig'] !== undefined)
      desired['storageConfig'] = step.item['storageConfig']
    const changed = Object.fromEntries(names.map((name) => [name, desired[name]]))
    await kind.update(posthorn, step.existing, changed)
  } else if (step.action === 'delete') await kind.remove(posthorn, step.existing)
}

async function readExisting(
  posthorn: Posthorn,
  kinds: readonly Kind[],
): Promise<Partial<Record<Kind, Existing[]>>> {
  const all = kinds.map(async (kind) => [kind, await CONFIG_KINDS[kind].read(posthorn)] as const)
  return Object.fromEntries(await Promise.all(all))
}

export interface ExportOptions extends GlobalOptions {
  out?: string
  only?: string
}

export async function exportConfig(options: ExportOptions, out: Output): Promise<void> {
  const wanted = options.only?.split(',') ?? [...KINDS]
  const unknown = wanted.find((name) => !KINDS.some((kind) => kind === name))
  if (unknown !== undefined) throw usage(`there is no section ${unknown}: ${KINDS.join(', ')}`)
  const kinds = KINDS.filter((kind) => wanted.includes(kind))
  const { posthorn } = await connect(options, out)
  const existing = await readExisting(posthorn, kinds)
  const sections = kinds.map((kind) => [
    kind,
    (existing[kind] ?? []).map((one) => CONFIG_KINDS[kind].shorten(one)),
  ])
  const document = { version: 1, ...Object.fromEntries(sections) } as ConfigDocument
  if (options.out === undefined) {
    if (out.isJson) return out.result(document, '')
    return out.text(writeDocument(document))
  }
  await writeFile(options.out, writeDocument(document), { mode: 0o600 })
  const count = kinds.reduce((sum, kind) => sum + (existing[kind]?.length ?? 0), 0)
  out.result({ file: options.out, count }, `${count} are in ${options.out}`)
}
