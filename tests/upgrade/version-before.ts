/**
 * The version before this one, from the repository's own history: the last release, and until there
 * is one, a commit after which no migration was edited and some were added.
 *
 * Its code is unpacked into a folder and shares the packages that are installed here, as long as it
 * names the same versions of them; else its own are installed, which needs the registry.
 */
import { execFile, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

export interface VersionBefore {
  /** The release's tag, or a commit. */
  name: string
  commit: string
}

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Before `0027_traceparent` and `0028_standby`, and after the last edit of `0018_access`. */
const PINNED = 'dbda9f3de82be059d949f829c3efc7fffc3ca077'
export const LAST_OF_PINNED = '0026_alerting'
const MIGRATIONS = 'libs/store/migrations/'

/** Undefined: this clone's history does not reach back to it. */
export function findVersionBefore(): VersionBefore | undefined {
  // From the commit before, for this one may be a release itself.
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD~1')
  const name = tag ?? PINNED
  const commit = git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)
  return commit === undefined ? undefined : { name: tag ?? commit.slice(0, 9), commit }
}

/** The names of its migrations, in the order in which they run. */
export function migrationsOf({ commit }: VersionBefore): string[] {
  const paths = git('ls-tree', '--name-only', commit, MIGRATIONS) ?? ''
  return paths
    .split('\n')
    .map((path) => basename(path))
    .filter((name) => /^\d{4}_/.test(name))
    .toSorted()
}

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined
}

/**
 * A test that needs the version before. Where the history does not hold it, it is skipped by name;
 * with REQUIRE_TOOLS=1 that is a failure.
 */
export function testWithVersionBefore(
  title: string,
  run: (version: VersionBefore) => Promise<void>,
  timeoutMs: number,
): void {
  test(
    title,
    async () => {
      const version = findVersionBefore()
      if (version !== undefined) return await run(version)
      process.stderr.write(`SKIPPED: ${title}: ${PINNED} not found (git fetch --unshallow)\n`)
      expect({ isRequired: process.env['REQUIRE_TOOLS'] === '1' }).toEqual({ isRequired: false })
    },
    timeoutMs,
  )
}

const runProgram = promisify(execFile)

/** Makes it ready to run in an empty folder. */
export async function unpackVersion({ commit }: VersionBefore, folder: string): Promise<void> {
  const archive = join(folder, 'source.tar')
  await runProgram('git', ['archive', '--output', archive, commit], { cwd: root })
  await runProgram('tar', ['-xf', archive, '-C', folder])
  if (needsOwnPackages(folder)) await installPackages(folder)
  else linkPackages(folder)
  await generateClient(folder)
}

function packagesOf(folder: string): string[] {
  return globSync('{libs,services}/*/package.json', { cwd: folder }).map((path) => dirname(path))
}

/** Every version is written down exactly, so that the same words mean the same packages. */
function dependenciesOf(folder: string): Record<string, string> {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return {}
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(path, 'utf8'),
  ) as Record<string, Record<string, string> | undefined>
  return { ...devDependencies, ...dependencies, ...optionalDependencies }
}

function needsOwnPackages(folder: string): boolean {
  return packagesOf(folder).some((path) => {
    const here = dependenciesOf(join(root, path))
    const wanted = Object.entries(dependenciesOf(join(folder, path)))
    return wanted.some(([name, version]) => here[name] !== version)
  })
}

/** Links lead to `.pnpm`, which both share, or to a neighbour in the same workspace. */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  symlinkSync(join(root, 'node_modules/.pnpm'), join(modules, '.pnpm'))
  copyLinks(join(root, 'node_modules'), modules)
  for (const path of packagesOf(folder)) {
    const from = join(root, path, 'node_modules')
    if (existsSync(from)) copyLinks(from, join(folder, path, 'node_modules'))
  }
}

function copyLinks(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    const place = join(from, name)
    if (lstatSync(place).isSymbolicLink()) symlinkSync(readlinkSync(place), join(to, name))
    else if (name.startsWith('@'))
      cpSync(place, join(to, name), { recursive: true, verbatimSymlinks: true })
  }
}

async function installPackages(folder: string): Promise<void> {
  const prepare = readFileSync(join(folder, 'scripts/prepare.mjs'), 'utf8')
  const pnpm = /PNPM = '([^']+)'/.exec(prepare)?.[1] ?? 'pnpm'
  const filter = ['--filter', '@posthorn/standalone...']
  await runProgram('npx', ['-y', pnpm, 'install', '--frozen-lockfile', ...filter], {
    cwd: folder,
    env: { ...process.env, CI: 'true', NODE_ENV: 'development' },
  })
}

async function generateClient(folder: string): Promise<void> {
  const cwd = join(folder, 'libs/store')
  await runProgram(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], {
    cwd,
    // Generating needs no schema engine, and would download one.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1' },
  })
}
