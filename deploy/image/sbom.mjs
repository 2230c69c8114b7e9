/**
 * `node deploy/image/sbom.mjs <checkout> <assembled>`: prints what an image contains as CycloneDX
 * JSON: Node, the packages that `assemble.mjs` has copied, and those that the pages are made of.
 * The base image has a list of its own.
 *
 * It says the same of the same content: no time, and an id made from what is in it.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

/** They build the pages, and leave nothing in them. */
const TOOLS_OF_PAGES = /^(vite|@vitejs\/.+|@types\/.+|@posthorn\/.+)$/
const RESOLUTION =
  /^ {2}'?((?:@[^/\n]+\/)?[^@/\n]+@[^:'\n]+)'?:\n {4}resolution: \{integrity: (sha\d+)-([^,}]+)/gm
const ALGORITHMS = { sha512: 'SHA-512', sha256: 'SHA-256', sha1: 'SHA-1' }

const [from, assembled] = process.argv.slice(2).map((path) => resolve(path))
if (from === undefined || assembled === undefined) {
  process.stderr.write('usage: node deploy/image/sbom.mjs <checkout> <assembled folder>\n')
  process.exit(2)
}
const hashes = readHashes()
/** By purl. */
const components = new Map()
const dependencies = new Map()

const copied = packagesOf(realpathSync(join(assembled, 'node_modules', '.pnpm')))
for (const folder of copied) add(folder)
for (const folder of copied) relate(folder)
addPages()
const { version } = readPackage(assembled)
const root = { type: 'application', name: 'posthorn', version, 'bom-ref': `posthorn@${version}` }
const node = nodeComponent()
const listed = [node, ...[...components.values()].toSorted(byRef)]
process.stdout.write(`${JSON.stringify(sbom(), null, 2)}\n`)

function sbom() {
  const content = {
    metadata: { component: { ...root, licenses: [{ license: { id: 'Apache-2.0' } }] } },
    components: listed,
    dependencies: [
      { ref: root['bom-ref'], dependsOn: listed.map((one) => one['bom-ref']) },
      ...[...dependencies].map(([ref, on]) => ({ ref, dependsOn: [...on].toSorted(byText) })),
    ],
  }
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  // A UUID of version 8: its bits are the maker's own.
  const uuid = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(12, 15)}`,
    `8${hex.slice(15, 18)}`,
    hex.slice(18, 30),
  ].join('-')
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    ...content,
  }
}

/** The folders of all packages in a store of pnpm: `<id>/node_modules/<name>`, where not a link. */
function packagesOf(store) {
  return readdirSync(store, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .flatMap((entry) => {
      const modules = join(store, entry.name, 'node_modules')
      return namesIn(modules).map((name) => join(modules, name))
    })
    .filter((folder) => existsSync(join(folder, 'package.json')) && realpathSync(folder) === folder)
    .toSorted()
}

function namesIn(modules) {
  return readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((one) => `${name}/${one}`) : [name],
  )
}

function add(folder) {
  const { name, version, license } = readPackage(folder)
  const ref = purlOf(name, version)
  const [group, own] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const hash = hashes.get(`${name}@${version}`)
  components.set(ref, {
    type: 'library',
    'bom-ref': ref,
    ...(group === undefined ? {} : { group }),
    name: own,
    version,
    purl: ref,
    ...licensesOf(license),
    ...(hash === undefined ? {} : { hashes: [hash] }),
  })
  return ref
}

/** What it can import lies beside it. */
function relate(folder) {
  const { name, version, dependencies: named, optionalDependencies } = readPackage(folder)
  const modules = folder.slice(0, -name.length)
  const on = Object.keys({ ...named, ...optionalDependencies }).flatMap((one) => {
    const place = join(modules, one)
    if (!existsSync(join(place, 'package.json'))) return []
    const found = readPackage(place)
    const ref = purlOf(found.name, found.version)
    return components.has(ref) ? [ref] : []
  })
  const ref = purlOf(name, version)
  dependencies.set(ref, new Set([...(dependencies.get(ref) ?? []), ...on]))
}

/** Vite puts packages into the pages; their folders stay in the checkout. */
function addPages() {
  if (!existsSync(join(assembled, 'web', 'dist'))) return
  const { dependencies: named, devDependencies } = readPackage(join(from, 'web'))
  const wanted = Object.keys({ ...named, ...devDependencies })
    .filter((name) => !TOOLS_OF_PAGES.test(name))
    .map((name) => realpathSync(join(from, 'web', 'node_modules', name)))
  const seen = new Set()
  for (const folder of wanted) {
    if (seen.has(folder)) continue
    seen.add(folder)
    add(folder)
    const { name, dependencies: on } = readPackage(folder)
    const modules = folder.slice(0, -name.length)
    for (const one of Object.keys(on ?? {}))
      if (existsSync(join(modules, one)) && !TOOLS_OF_PAGES.test(one))
        wanted.push(realpathSync(join(modules, one)))
  }
  for (const folder of seen) relate(folder)
}

/** The one that runs this is the one that is copied into the image. */
function nodeComponent() {
  const version = process.versions.node
  const ref = `pkg:generic/node@${version}`
  return { type: 'platform', 'bom-ref': ref, name: 'node', version, purl: ref }
}

/** As the lockfile has them: what was downloaded had these. */
function readHashes() {
  const text = readFileSync(join(from, 'pnpm-lock.yaml'), 'utf8')
  return new Map(
    [...text.matchAll(RESOLUTION)].map(([, id, algorithm, base64]) => [
      id,
      { alg: ALGORITHMS[algorithm], content: Buffer.from(base64, 'base64').toString('hex') },
    ]),
  )
}

function licensesOf(license) {
  if (typeof license !== 'string') return {}
  const isExpression = /\b(AND|OR|WITH)\b/.test(license)
  if (isExpression) return { licenses: [{ expression: license }] }
  const isId = /^[\w.+-]+$/.test(license) && license !== 'UNLICENSED'
  return { licenses: [{ license: isId ? { id: license } : { name: license } }] }
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function readPackage(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch (error) {
    throw new Error(`${relative(from, folder)} has no package.json that can be read`, {
      cause: error,
    })
  }
}

function byRef(one, other) {
  return byText(one['bom-ref'], other['bom-ref'])
}

function byText(one, other) {
  return one < other ? -1 : 1
}
