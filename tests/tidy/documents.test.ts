/**
 * The documents are true: what they link to and name exists, their commands are known, their
 * excerpts are in the code, and their tables are complete.
 */
import { readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from '@jest/globals'
import { METRICS } from '@posthorn/contracts/metrics'
import { withMetricsTable } from '../../scripts/settings/metrics-table.ts'
import { readFiles, root } from './source-files.ts'

const files = readFiles()
const paths = new Set(files.map(({ path }) => path))
const folders = new Set(files.flatMap(({ path }) => parents(path)))
const baseNames = new Set([...paths].map((path) => path.slice(path.lastIndexOf('/') + 1)))
const documents = files.filter(
  ({ path }) => /^(README|CONTRIBUTING|CHANGELOG)\.md$/.test(path) || /^docs\/.*\.md$/.test(path),
)

function parents(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

function textOf(path: string): string {
  const file = files.find((one) => one.path === path)
  if (file === undefined) throw new Error(`there is no ${path}`)
  return file.text
}

function isThere(path: string): boolean {
  const plain = path.replace(/\/$/, '')
  return paths.has(plain) || folders.has(plain)
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^ *```[^]*?^ *```$/gm, '')
}

/** The inline code of a document, with its line breaks as spaces. */
function inlineCode(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
    code.replaceAll(/\s+/g, ' '),
  )
}

/** What is wrong in each document, with the document's name. */
function inDocuments(find: (text: string, path: string) => readonly string[]): string[] {
  return documents.flatMap(({ path, text }) =>
    find(text, path).map((problem) => `${path}: ${problem}`),
  )
}

test('the rules see the documents', () => {
  expect(documents.length).toBeGreaterThan(20)
  expect(isThere('libs/domain/src')).toBe(true)
  expect(isThere('libs/domain/src/nothing.ts')).toBe(false)
  expect(inlineCode('a `b\nc`\n```\n`d`\n```\n')).toEqual(['b c'])
})

test('links lead somewhere', () => {
  const dead = inDocuments((text, path) =>
    [...withoutBlocks(text).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => !isThere(normalize(join(dirname(path), link)))),
  )
  expect(dead).toEqual([])
})

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  return [...withoutBlocks(textOf(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('links to a heading lead to one', () => {
  const anchors = new Map(documents.map(({ path }) => [path, new Set(anchorsOf(path))]))
  const dead = inDocuments((text, path) =>
    [...withoutBlocks(text).matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)]
      .filter(([, link = '', anchor = '']) => {
        const target = link === '' ? path : normalize(join(dirname(path), link))
        return anchors.get(target)?.has(anchor) === false
      })
      .map(([all]) => all),
  )
  expect(dead).toEqual([])
})

test('named files and folders exist', () => {
  const top = /^(?:libs|services|tests|scripts|docs|\.ci)\/[\w./-]+$/
  const missing = inDocuments((text) =>
    inlineCode(text).filter((code) =>
      top.test(code)
        ? !isThere(code)
        : /^\w[\w.-]*\.(?:ts|mjs|sql|prisma)$/.test(code) && !baseNames.has(code),
    ),
  )
  expect(missing).toEqual([])
})

test('named symbols are in the files that are named with them', () => {
  const missing = inDocuments((text) =>
    [...withoutBlocks(text).matchAll(/`(\w+)`\s+in\s+`([\w./-]+\.ts)`/g)]
      .filter(([, symbol = '', path = '']) => {
        return !paths.has(path) || !new RegExp(`\\b${symbol}\\b`).test(textOf(path))
      })
      .map(([all]) => all),
  )
  expect(missing).toEqual([])
})

test('metrics that are named are in the catalog', () => {
  const unknown = inDocuments((text) =>
    [...text.matchAll(/\bposthorn_[a-z_]+[a-z]\b/g)]
      .map(([name]) => name)
      .filter((name) => !(name in METRICS)),
  )
  expect(unknown).toEqual([])
})

/** The lines of a document's fenced blocks in a language. */
function blocksOf(text: string, language: string): string[][] {
  return [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, body = '']) =>
      body
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
  )
}

test('the excerpts of CONTRIBUTING.md are in the files that they name', () => {
  const text = textOf('CONTRIBUTING.md')
  const blocks = [...blocksOf(text, 'ts'), ...blocksOf(text, 'sql')]
  expect(blocks.length).toBeGreaterThan(10)
  const missing = blocks.flatMap(([first = '', ...lines]) => {
    const path = first.replace(/^(?:\/\/|--) /, '')
    if (!paths.has(path)) return [`there is no ${path}`]
    const source = new Set(
      textOf(path)
        .split('\n')
        .map((line) => line.trim()),
    )
    return lines.filter((line) => !source.has(line)).map((line) => `not in ${path}: ${line}`)
  })
  expect(missing).toEqual([])
})

test('commands that are shown exist', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const wrong = inDocuments((text) => {
    const lines = [...blocksOf(text, 'sh').flat(), ...inlineCode(text)]
    return lines.filter((line) => {
      const [, run] = /^npm run ([\w-]+)/.exec(line) ?? []
      if (run !== undefined) return !(run in scripts)
      const [, only] = /^npm test -- --only (\S+)/.exec(line) ?? []
      if (only !== undefined) return ![...paths].some((path) => path.startsWith(only))
      const [, name, script] = /^pnpm --filter @posthorn\/([\w-]+) (\w+)/.exec(line) ?? []
      if (name === undefined || script === undefined) return false
      const manifest = [`libs/${name}/package.json`, `services/${name}/package.json`]
      const known = manifest.find((path) => paths.has(path))
      if (known === undefined) return true
      const own = JSON.parse(textOf(known)) as { scripts?: Record<string, string> }
      return !(script in (own.scripts ?? {}))
    })
  })
  expect(wrong).toEqual([])
})

test('README.md is short, and its table has every folder', () => {
  const text = textOf('README.md')
  const [start = ''] = text.split('\n## Read on')
  expect(start.split('\n').length).toBeLessThanOrEqual(80)
  const [, table = ''] = text.split('\n## Folders')
  const named = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = '']) => path)
  expect(named.filter((path) => !isThere(path))).toEqual([])
  const all = ['services', 'libs', 'tests'].flatMap((top) =>
    readdirSync(join(root, top), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && folders.has(`${top}/${entry.name}`))
      .map((entry) => `${top}/${entry.name}`),
  )
  expect([...all, 'scripts', 'docs'].filter((path) => !named.includes(path))).toEqual([])
})

test("docs/operations.md's table of metrics is up to date: else run `npm run settings`", () => {
  const page = textOf('docs/operations.md')
  expect(page).toContain('| `posthorn_http_requests_total` |')
  expect(withMetricsTable(page)).toBe(page)
})

test('the log lines of docs/operations.md are written by the code', () => {
  const [, section = ''] = textOf('docs/operations.md').split('\n## Log lines')
  const [table = ''] = section.split('\n## ')
  const names = [...table.matchAll(/^\| ((?:`[\w.-]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
    inlineCode(cell),
  )
  expect(names.length).toBeGreaterThan(5)
  const product = files.filter(({ path }) => /^(libs|services)\/[^/]+\/src\//.test(path))
  const unknown = names.filter((name) => !product.some(({ text }) => text.includes(`'${name}'`)))
  expect(unknown).toEqual([])
})

test('the index of decisions has every page', () => {
  const index = textOf('docs/decisions/README.md')
  const pages = [...paths].filter((path) => /^docs\/decisions\/\d{4}-.*\.md$/.test(path))
  const missing = pages.filter(
    (path) => !index.includes(`(${path.slice(path.lastIndexOf('/') + 1)})`),
  )
  expect(missing).toEqual([])
})

test('a version that is not released has nothing to fix', () => {
  const [, section = ''] = textOf('CHANGELOG.md').split('(not released)')
  const [unreleased = ''] = section.split('\n## ')
  expect(unreleased).not.toMatch(/\bFixed\b/)
})
