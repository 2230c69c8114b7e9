/**
 * Runs a page of the documents from top to bottom, as its reader would.
 *
 * - `sh` runs, in one shell for the page. A comment `<!-- test: … -->` before a block says how:
 *   `started` (a server, which goes on), `repeated` (until what is shown comes true) or `refused`
 *   (the block shows an error).
 * - `text` is what the block before printed; after `started`, what the servers print.
 * - `json` parses. With `answer` it is what the block before printed, with `body of <route>` the
 *   body of a route of the catalog.
 * - Other languages are files, named in their first line, which a block of `sh` runs; or parts of a
 *   file of the repository.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Route, routeCatalog } from '@posthorn/contracts/routes'
import { freePort } from '@posthorn/local-stores/free-port'
import { eventually } from '@posthorn/testing/eventually'
import { parseAllDocuments } from 'yaml'
import { type GuideBlock, fileOf, isInItsFile, root } from './blocks.ts'
import { isAnswerAsShown, isAsShown, isWithin } from './expectations.ts'
import { makePageFolder } from './folder.ts'
import { openShell, type GuideShell } from './shell.ts'

const run = promisify(execFile)
const catalog: Readonly<Record<string, Route>> = routeCatalog('Service')
/** Where the documents have Posthorn, and where the reader's own application. */
const POSTHORN = 'http://127.0.0.1:8080'
const APPLICATION_PORT = '3000'
const PATIENCE = { timeoutMs: 15_000, everyMs: 100 }
/** A server in Go is compiled first, with Go's standard library: minutes on a busy machine. */
const STARTED = { timeoutMs: 300_000, everyMs: 100 }

interface Page {
  folder: string
  shell: GuideShell
  port: string
  adapt(text: string): string
  /** The last block of `sh`, which may have to run again. */
  again: () => Promise<string>
  printed: string
}

/** @param isLeftOut blocks that do not run */
export async function runPage(
  blocks: readonly GuideBlock[],
  place: { url: string; apiKey: string },
  isLeftOut: (block: GuideBlock) => boolean,
): Promise<void> {
  const hasPython = blocks.some(({ language }) => language === 'python')
  const { path: folder, env } = await makePageFolder(place.url, place.apiKey, hasPython)
  const shell = openShell(folder, env)
  const port = String(await freePort())
  const adapt = (text: string): string =>
    text
      .replaceAll(POSTHORN, place.url)
      .replaceAll(new RegExp(`\\b${APPLICATION_PORT}\\b`, 'g'), port)
  const page: Page = { folder, shell, port, adapt, again: async () => '', printed: '' }
  try {
    for (const block of blocks) {
      if (isLeftOut(block)) continue
      await runBlock(page, block).catch((error: unknown) => {
        throw new Error(`${block.page}:${block.line}: ${String(error)}`, { cause: error })
      })
    }
  } finally {
    await shell.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function runBlock(page: Page, block: GuideBlock): Promise<void> {
  if (block.language === 'sh') return await runCommands(page, block)
  if (block.language === 'text') return await comparePrinted(page, block)
  if (block.language === 'json') return await compareJson(page, block)
  const name = fileOf(block)
  if (name === undefined)
    throw new Error(`a block of ${block.language} names its file in the first line`)
  if (existsSync(join(root, name))) {
    if (!isInItsFile(block)) throw new Error(`this is not in ${name}`)
    return
  }
  const path = join(page.folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, page.adapt(block.text))
  if (block.language === 'ts') await checkTypes(page.folder, name)
  if (block.language === 'yaml')
    for (const document of parseAllDocuments(block.text))
      if (document.errors[0] !== undefined) throw document.errors[0]
}

async function runCommands(page: Page, { text, note }: GuideBlock): Promise<void> {
  const command = page.adapt(text)
  if (note === 'started') {
    page.shell.start(command)
    await eventually(async () => await expectListener(Number(page.port)), STARTED)
    return
  }
  if (note === 'repeated') {
    page.again = async () => {
      const { status, stdout } = await page.shell.run(command, 'tried')
      if (status !== 0) throw new Error(`this ended with ${status}:\n${command}\n${stdout}`)
      return stdout
    }
    page.printed = await eventually(page.again, PATIENCE)
    return
  }
  page.printed = (await page.shell.run(command, note === 'refused' ? 'refused' : 'once')).stdout
  page.again = async () => page.printed
}

async function comparePrinted(page: Page, { text, note }: GuideBlock): Promise<void> {
  const shown = page.adapt(text)
  await eventually(async () => {
    const printed = note === 'started' ? page.shell.printed() : page.printed
    const isThere = note === 'started' ? isWithin(shown, printed) : isAsShown(shown, printed)
    if (isThere) return
    page.printed = await page.again()
    throw new Error(`this was printed:\n${printed}\n${page.shell.printed()}`)
  }, PATIENCE)
}

async function compareJson(page: Page, { text, note }: GuideBlock): Promise<void> {
  const shown: unknown = JSON.parse(page.adapt(text))
  const [, route] = /^body of (\w+)$/.exec(note) ?? []
  if (route !== undefined) {
    const parsed = catalog[route]?.body?.safeParse(shown)
    if (parsed?.success !== true) throw new Error(`no body of ${route}: ${parsed?.error.message}`)
  }
  if (note !== 'answer') return
  await eventually(async () => {
    if (isAnswerAsShown(shown, JSON.parse(page.printed))) return
    const { printed } = page
    page.printed = await page.again()
    throw new Error(`this was answered:\n${printed}`)
  }, PATIENCE)
}

async function checkTypes(folder: string, name: string): Promise<void> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions']
  const kind = ['--module', 'nodenext', '--target', 'es2023', '--types', 'node']
  await run(process.execPath, [tsc, ...options, ...kind, name], { cwd: folder }).catch(
    (error: { stdout?: string }) => {
      throw new Error(error.stdout)
    },
  )
}

async function expectListener(port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
  })
}
