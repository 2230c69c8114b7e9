/**
 * Prepares what every script here needs first: the dependencies, the generated Prisma client, and a
 * Node 24.
 *
 * It runs on Node 20, before anything is installed, so it imports nothing but Node itself. When
 * nothing has changed it costs some milliseconds: what was done is remembered by the hash of its
 * sources.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { howToInstallNode, refuseNode } from './node-version.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
const PNPM = 'pnpm@12.21.0'
const cacheDir = join(root, 'node_modules', '.cache', 'posthorn')
const storeDir = join(root, 'libs', 'store')

/** Installs and generates what is missing. @returns the path of a Node 24 or newer */
export function prepare() {
  const refusal = refuseNode(process.versions.node, process.platform, process.arch)
  if (refusal !== undefined) fail(refusal)
  install()
  const node = findNode()
  generate(node)
  return node
}

/** Says one thing that went wrong and what to do about it, and ends. */
export function fail(message) {
  process.stderr.write(`posthorn: ${message}\n`)
  process.exit(1)
}

export function say(message) {
  process.stderr.write(`posthorn: ${message}\n`)
}

/**
 * The environment of the processes that are started with Node 24: its folder comes first, and
 * compiled code is kept between starts.
 */
export function environment(node) {
  const bin = join(node, '..')
  return {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    NODE_COMPILE_CACHE:
      process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node-compile'),
  }
}

/**
 * Runs a TypeScript file with Node 24 and ends as it ends.
 *
 * The file runs in a session of its own: a Ctrl-C in the terminal, which npm passes on a second
 * time, reaches it once, from here. Should this process be killed, the pipe at descriptor 3 ends
 * and `end-with-launcher.mjs` stops the file's process.
 */
export function handOver(node, file, args, nodeFlags = []) {
  const watch = new URL('end-with-launcher.mjs', import.meta.url).href
  const flags = ['--disable-warning=ExperimentalWarning', `--import=${watch}`]
  const child = spawn(node, [...flags, ...nodeFlags, join(root, file), ...args], {
    cwd: root,
    env: environment(node),
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  })
  child.once('error', (error) => fail(`${node} could not be started: ${error.message}`))
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const name of FORWARDED) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
  forwardSignals(child)
  if (process.env.npm_lifecycle_event !== undefined) endWithParent(child)
}

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']
/**
 * The terminal's signal and npm's copy of it are some milliseconds apart; a second Ctrl-C by hand
 * is not.
 */
const SAME_SIGNAL_MS = 300

function forwardSignals(child) {
  let last = { name: '', at: 0 }
  for (const name of FORWARDED) {
    process.on(name, () => {
      const at = performance.now()
      if (name !== last.name || at - last.at > SAME_SIGNAL_MS) child.kill(name)
      last = { name, at }
    })
  }
}

/** npm cannot pass on its own SIGKILL; a second later it is seen that its process is gone. */
function endWithParent(child) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    child.kill('SIGTERM')
  }, 1000)
  timer.unref()
}

const INSTALLED = join(cacheDir, 'installed')

function install() {
  const wanted = hashOfLock()
  if (readOrEmpty(INSTALLED) === wanted) return
  // What was pruned for running alone is not seen to be missing.
  if (existsSync(LEAN)) clearModules()
  rmSync(LEAN, { force: true })
  say('installing dependencies (the first time takes half a minute) ...')
  runPnpm([])
  remember(INSTALLED, wanted)
}

function hashOfLock() {
  return hashOf([join(root, 'pnpm-lock.yaml'), join(root, 'pnpm-workspace.yaml')])
}

function runPnpm(more) {
  const args = ['-y', PNPM, 'install', '--frozen-lockfile', ...more]
  // CI: pnpm must not ask whether it may replace an older node_modules.
  // NODE_ENV: in production pnpm would leave out what only building needs.
  const env = { ...process.env, CI: 'true', NODE_ENV: 'development' }
  const done = spawnSync('npx', args, { cwd: root, env, stdio: ['ignore', 2, 2] })
  if (done.error?.code === 'ENOENT')
    fail('npm is not installed (npx is not on the PATH): install npm.')
  if (done.status !== 0) {
    fail(
      `the dependencies could not be installed (npx ${args.join(' ')}). ` +
        'Above is why; is the npm registry within reach?',
    )
  }
}

const LEAN = join(cacheDir, 'installed-lean')
const { name: ROOT } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const RUNNING = ['--prod', '--filter', ROOT, '--filter', '@posthorn/standalone...']
const BUILDING = ['--filter', '@posthorn/web', '--filter', '@posthorn/store']

/**
 * Prepares what running alone needs: the services' own dependencies, the generated client and the
 * built pages. The tools that make the latter two are installed for that, and removed again. Where
 * everything is installed already, as a developer has it, that is kept up to date instead.
 *
 * @returns the path of a Node 24 or newer
 */
export function prepareToRun() {
  const refusal = refuseNode(process.versions.node, process.platform, process.arch)
  if (refusal !== undefined) fail(refusal)
  if (existsSync(INSTALLED)) {
    const node = prepare()
    preparePages(node)
    return node
  }
  const wanted = hashOfLock()
  const isInstalled = readOrEmpty(LEAN) === wanted
  if (isInstalled && isGenerated() && arePagesBuilt()) return findNode()
  rmSync(LEAN, { force: true })
  if (!isInstalled) {
    say('installing what running needs (npm test installs the rest) ...')
    clearModules()
    runPnpm(RUNNING)
  }
  if (!isGenerated() || !arePagesBuilt()) {
    const node = keepNode(findNode())
    runPnpm(BUILDING)
    generate(node)
    preparePages(node)
    clearModules()
    runPnpm(RUNNING)
    rmSync(BUILDER, { recursive: true, force: true })
  }
  pruneModules(join(root, 'node_modules', '.pnpm'))
  remember(LEAN, wanted)
  return findNode()
}

const BUILDER = join(cacheDir, 'builder')

/** Keeps a Node that was installed while other packages replace it. @returns its path then */
function keepNode(node) {
  if (!node.startsWith(join(root, 'node_modules'))) return node
  const kept = join(BUILDER, 'node')
  mkdirSync(BUILDER, { recursive: true })
  rmSync(kept, { force: true })
  linkSync(realpathSync(node), kept)
  return kept
}

/** Removes all that is installed, and keeps what is remembered. */
function clearModules() {
  const folders = ['libs', 'services'].flatMap((name) =>
    readdirSync(join(root, name)).map((one) => join(root, name, one)),
  )
  for (const folder of [...folders, webDir, join(webDir, 'api-types'), join(root, 'cli')])
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  const modules = join(root, 'node_modules')
  for (const name of existsSync(modules) ? readdirSync(modules) : [])
    if (name !== '.cache') rmSync(join(modules, name), { recursive: true, force: true })
}

/** Types, source maps, C headers, and what Prisma has for other databases. */
const NOT_FOR_RUNNING =
  /\.(map|d\.[cm]?ts|md)$|query_compiler_(small|fast_bg\.(?!postgresql))\w*|[/\\]include[/\\]node[/\\]/

function pruneModules(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) pruneModules(path)
    else if (entry.isFile() && NOT_FOR_RUNNING.test(path)) rmSync(path)
  }
}

function findNode() {
  const name = `node-${process.platform}-${process.arch}`
  const installed = join(root, 'node_modules', name, 'bin', 'node')
  const major = Number(process.versions.node.split('.')[0])
  // npm puts the installed one first on the PATH; an install above may just have replaced that
  // file.
  const isOwn = !process.execPath.startsWith(join(root, 'node_modules'))
  if (major >= 24 && (isOwn || !existsSync(installed))) return process.execPath
  if (existsSync(installed)) return installed
  return fail(
    `the package ${name}, which brings Node 24, was not installed. ${howToInstallNode(process.platform)}`,
  )
}

const GENERATED = join(cacheDir, 'generated')

function hashOfSchemas() {
  const config = join(storeDir, 'prisma.config.ts')
  const sources = [...filesIn(storeDir, '.prisma'), config, join(storeDir, 'package.json')]
  return hashOf(sources.filter((path) => existsSync(path)))
}

function isGenerated() {
  if (filesIn(storeDir, '.prisma').length === 0) return true
  const output = join(storeDir, 'src', 'generated')
  return readOrEmpty(GENERATED) === hashOfSchemas() && existsSync(output)
}

function generate(node) {
  if (isGenerated()) return
  say('generating the Prisma client ...')
  const done = spawnSync(join(storeDir, 'node_modules', '.bin', 'prisma'), ['generate'], {
    cwd: storeDir,
    encoding: 'utf8',
    env: {
      ...environment(node),
      // Generating needs no schema engine, and would download one.
      PRISMA_SCHEMA_ENGINE_BINARY: existsSync('/bin/true') ? '/bin/true' : '/usr/bin/true',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  })
  if (done.status !== 0) {
    fail(`prisma generate failed: ${done.error?.message ?? `${done.stdout}${done.stderr}`}`)
  }
  remember(GENERATED, hashOfSchemas())
}

const NO_SOURCES = ['node_modules', 'dist']
const webDir = join(root, 'web')
const PAGE_SOURCES = ['.ts', '.tsx', '.css', '.json', '.html']
/** Libraries that pages carry parts of. */
const PAGE_LIBRARIES = ['libs/domain/src', 'libs/go-template/src']

const PAGES_MARKER = join(webDir, 'dist', 'built-from')

function hashOfPages() {
  const sources = PAGE_SOURCES.flatMap((extension) => filesIn(webDir, extension))
  const libraries = PAGE_LIBRARIES.flatMap((folder) => filesIn(join(root, folder), '.ts'))
  return hashOf([...sources, ...libraries, join(root, 'pnpm-lock.yaml')])
}

function arePagesBuilt() {
  return readOrEmpty(PAGES_MARKER) === hashOfPages()
}

/**
 * Builds the web pages where they are not, or are of other sources. A package that comes with them
 * built has nothing to build them with, and needs nothing.
 *
 * @param node a Node 24
 */
export function preparePages(node) {
  const vite = join(webDir, 'node_modules', 'vite', 'bin', 'vite.js')
  if (!existsSync(vite) || arePagesBuilt()) return
  say('building the web pages ...')
  const done = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], {
    cwd: webDir,
    encoding: 'utf8',
    // Libraries of the pages are larger and slower under any other.
    env: { ...environment(node), NODE_ENV: 'production' },
  })
  if (done.status !== 0) {
    fail(
      `the web pages could not be built: ${done.error?.message ?? `${done.stdout}${done.stderr}`}`,
    )
  }
  writeFileSync(PAGES_MARKER, hashOfPages())
}

function filesIn(dir, extension) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) return NO_SOURCES.includes(entry.name) ? [] : filesIn(path, extension)
    return entry.name.endsWith(extension) ? [path] : []
  })
}

function hashOf(paths) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`)
  for (const path of paths.sort()) hash.update(readFileSync(path)).update('\n')
  return hash.digest('hex')
}

function readOrEmpty(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function remember(marker, value) {
  mkdirSync(cacheDir, { recursive: true })
  writeFileSync(marker, value)
}
