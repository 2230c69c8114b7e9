/**
 * The blocks of the documents do what the documents say: each page runs from top to bottom, in a
 * workspace of its own. What does not run is named below, with the reason.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ToolName } from '../deploy/find-tool.ts'
import { run, testWith } from '../deploy/tools.ts'
import { type GuideBlock, fileOf, readBlocks, root } from './guides/blocks.ts'
import { runPage } from './guides/run-page.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

interface LeftOut {
  page: string
  /** How the block begins. */
  begins: string
  reason: string
}

const STARTS = 'the product of this run stands for it; first-start.e2e.test.ts starts one so'

const LEFT_OUT: readonly LeftOut[] = [
  ...['node', 'python', 'go'].map((language) => ({
    page: `docs/guides/quick-start-${language}.md`,
    begins: 'EGRESS_ALLOW_CIDRS=127.0.0.0/8 npm start',
    reason: STARTS,
  })),
  ...[
    ['node', 'mkdir ../first-webhook'],
    ['python', 'python3 -m venv ../first-webhook'],
    ['go', 'mkdir ../first-webhook'],
  ].map(([language = '', begins = '']) => ({
    page: `docs/guides/quick-start-${language}.md`,
    begins,
    reason: 'it installs from a public registry; the sources of the SDK stand for what is packed',
  })),
  {
    page: 'docs/guides/receiving.md',
    begins: 'npx posthorn listen',
    reason: 'it goes on for good; cli-listen.e2e.test.ts listens so',
  },
  ...['svix', 'convoy', 'outpost'].map((service) => ({
    page: `docs/guides/migrate-from-${service}.md`,
    begins: 'posthorn login',
    reason: `it reads from ${service}; the command has tests with its answers`,
  })),
  {
    page: 'docs/access.md',
    begins: 'curl -c cookies $URL/auth/login',
    reason: 'it signs in the first person of an installation, who is not there in a shared one',
  },
  {
    page: 'docs/access.md',
    begins: 'curl -b cookies $URL/api/v1/team',
    reason: 'it goes on with that session',
  },
  {
    page: 'docs/compliance.md',
    begins: 'curl -sb jar -o workspace.json',
    reason: 'it deletes a workspace; services/compliance has tests with one of their own',
  },
  ...['cat > secrets.env', 'kubectl -n posthorn exec', 'posthorn migrate --plan'].map((begins) => ({
    page: 'docs/kubernetes.md',
    begins,
    reason: 'it needs a cluster; its values are rendered below, and the chart has tests of its own',
  })),
  {
    page: 'docs/backup.md',
    begins: 'pg_dump',
    reason: "it needs the server's own pg_dump; restore.e2e.test.ts dumps and restores",
  },
  {
    page: 'docs/operations.md',
    begins: 'export DATABASE_URL=postgres://…',
    reason: 'it goes on for good; chaos/standby.e2e.test.ts runs two that stand by',
  },
  {
    page: 'docs/operations.md',
    begins: 'posthorn migrate --plan',
    reason: 'it is the command of an image; tests/upgrade plans and migrates',
  },
  {
    page: 'docs/performance.md',
    begins: 'npm run load',
    reason: 'it takes minutes to hours',
  },
  {
    page: 'docs/reliability.md',
    begins: 'npm run chaos',
    reason: 'it takes minutes to hours',
  },
]

const pages = globSync('docs/**/*.md', { cwd: root })
  // These have tests of their own.
  .filter((page) => !page.startsWith('docs/api/') && page !== 'docs/embedding.md')
  // Its blocks are drawings.
  .filter((page) => page !== 'docs/architecture.md')
  .toSorted()
  .map((page) => ({ page, blocks: readBlocks(page) }))
  .filter(({ blocks }) => blocks.length > 0)
const reference = globSync('docs/api/*.md', { cwd: root }).flatMap(readBlocks)

function isLeftOut({ page, text }: GuideBlock): boolean {
  return LEFT_OUT.some((one) => one.page === page && text.startsWith(one.begins))
}

/** The product starts once, and each page gets a workspace of its own. */
let first: SharedProduct
beforeAll(async () => {
  first = await joinProduct('standalone')
}, 300_000)
afterAll(async () => await first?.leave(), 60_000)

async function inWorkspace(run: (place: SharedProduct) => Promise<void>): Promise<void> {
  const place = await joinProduct('standalone')
  try {
    await run(place)
  } finally {
    await place.leave()
  }
}

test('each block has a language, and files that are shown are used', () => {
  const all = [...pages.flatMap(({ blocks }) => blocks), ...reference]
  expect(all.length).toBeGreaterThan(300)
  const places = (blocks: readonly GuideBlock[]): string[] =>
    blocks.map(({ page, line }) => `${page}:${line}`)
  expect(places(all.filter(({ language }) => language === ''))).toEqual([])
  const unused = pages.flatMap(({ blocks }) =>
    blocks.filter((block) => {
      const name = fileOf(block)
      // TypeScript is checked by its compiler, and what is in the repository is compared.
      if (['sh', 'ts'].includes(block.language) || name === undefined) return false
      if (existsSync(join(root, name))) return false
      return !blocks.some((other) => other !== block && other.text.includes(name))
    }),
  )
  expect(places(unused)).toEqual([])
})

test('what does not run is named with a reason, and is a script at least', () => {
  const all = pages.flatMap(({ blocks }) => blocks)
  for (const { page, begins, reason } of LEFT_OUT) {
    const found = all.filter((block) => block.page === page && block.text.startsWith(begins))
    expect({ page, begins, reason, count: found.length }).toMatchObject({ count: 1 })
    process.stderr.write(`NOT RUN: ${page}:${found[0]?.line}: ${reason}\n`)
  }
  const scripts = all.filter((block) => block.language === 'sh' && isLeftOut(block))
  const input = [...scripts, ...reference].map(({ text }) => text).join('\n')
  const checked = spawnSync('bash', ['-n'], { input, encoding: 'utf8' })
  expect(checked).toMatchObject({ status: 0, stderr: '' })
})

/** The programs that a page's commands call. */
function toolsOf(blocks: readonly GuideBlock[]): ToolName[] {
  const commands = blocks.filter((block) => block.language === 'sh' && !isLeftOut(block))
  const text = commands.map((block) => block.text).join('\n')
  return (['jq', 'python3', 'go'] as const).filter((name) => new RegExp(`\\b${name} `).test(text))
}

/** Where Go compiles its standard library first. */
const PAGE_MS = 480_000

for (const { page, blocks } of pages) {
  const runIt = async (): Promise<void> =>
    await inWorkspace(async (place) => await runPage(blocks, place, isLeftOut))
  testWith(toolsOf(blocks), `${page} does what it says`, runIt, PAGE_MS)
}

test('the examples of the API reference that read a list or a state are answered', async () => {
  const isWhole = /^curl "\$POSTHORN_URL[^"$]*" \\\n {2}-H "X-API-Key: \$POSTHORN_API_KEY"\n$/
  const examples = reference.filter(({ text }) => isWhole.test(text))
  expect(examples.length).toBeGreaterThan(25)
  await inWorkspace(async (place) => await runPage(examples, place, () => false))
})

testWith(
  ['helm'],
  'the chart takes the values that docs/kubernetes.md gives it',
  async ({ helm }) => {
    const text = readBlocks('docs/kubernetes.md')
      .map((block) => block.text)
      .join('')
    const [, values = ''] = /^helm install posthorn (.*) --wait$/m.exec(text) ?? []
    const rendered = await run(helm, ['template', 'posthorn', ...values.split(' ')])
    expect(rendered).toMatchObject({ code: 0, stdout: expect.stringContaining('kind: Deployment') })
  },
)
