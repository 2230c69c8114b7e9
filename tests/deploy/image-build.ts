/**
 * Builds the last stage of the Dockerfile with buildah, from what stands on this machine: the
 * folder that the stage before would have made, and a base of the libraries that Node and native
 * packages are linked with.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from '@jest/globals'
import { type Ran, root, run } from './tools.ts'

export interface BuiltImage {
  /** As the image has it. */
  config: { User: string; Entrypoint: string[]; Cmd: string[]; Env: string[]; WorkingDir: string }
  /** Its files, where they can be read. */
  files: string
  /** Runs a command in it as its user. */
  exec(...command: string[]): Promise<Ran>
}

export interface ImageSite {
  buildah: string
  /** A static init. */
  tini: string
  /** What `assemble.mjs` has made. */
  app: string
  /** An empty folder for the build and its storage. */
  folder: string
}

const BASE = 'localhost/posthorn-base:test'
const IMAGE = 'localhost/posthorn:test'
const LAST_STAGE = '\nFROM ${RUNTIME_IMAGE}\n'

export async function buildImage({ buildah, tini, app, folder }: ImageSite): Promise<BuiltImage> {
  const policy = join(folder, 'policy.json')
  writeFileSync(policy, JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }))
  const storage = ['--storage-driver', 'vfs']
  const places = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]

  async function call(command: string, ...args: string[]): Promise<string> {
    const ran = await run(buildah, [...storage, ...places, command, ...args])
    expect({ command, code: ran.code, stderr: ran.code === 0 ? '' : ran.stderr }).toEqual({
      command,
      code: 0,
      stderr: '',
    })
    return ran.stdout.trim()
  }

  const base = await call('from', '--signature-policy', policy, 'scratch')
  await call('copy', '--quiet', base, await baseFolder(join(folder, 'base'), app), '/')
  await call('commit', '--quiet', '--signature-policy', policy, base, BASE)
  const context = contextFolder(join(folder, 'context'), { app, tini })
  const how = ['--isolation', 'chroot', '--build-arg', `RUNTIME_IMAGE=${BASE}`, '--pull-never']
  await call('bud', '--quiet', '--signature-policy', policy, ...how, '--tag', IMAGE, context)
  const container = await call('from', '--signature-policy', policy, '--pull-never', IMAGE)
  const inspected = JSON.parse(await call('inspect', '--type', 'image', IMAGE)) as {
    OCIv1: { config: BuiltImage['config'] }
  }
  // Here the first process is buildah's, so that the init says what it cannot do.
  const isolation = ['--isolation', 'chroot', '--env', 'TINI_SUBREAPER=1']
  return {
    config: inspected.OCIv1.config,
    files: await call('mount', container),
    exec: async (...command) => {
      const args = [...isolation, container, '--', ...command]
      return await run(buildah, [...storage, ...places, 'run', ...args])
    },
  }
}

/** What the base that the Dockerfile names has: of libc6, libgcc-s1 and libstdc++6. */
const IN_BASE = /\/(ld-linux[\w-]*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+))\.so\.\d+$/

/** These libraries of this machine, at their places. */
async function baseFolder(folder: string, app: string): Promise<string> {
  const native = readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.node'))
    .map((path) => join(app, path))
  const { stdout } = await run('ldd', [process.execPath, ...native])
  const found = [...stdout.matchAll(/(\/\S+\.so\S*) \(0x/g)].map(([, path = '']) => path)
  const libraries = [...new Set(found)]
  expect(libraries.length).toBeGreaterThan(2)
  expect(libraries.filter((path) => !IN_BASE.test(path))).toEqual([])
  for (const path of libraries) copyTo(join(folder, path), path)
  mkdirSync(join(folder, 'tmp'), { mode: 0o1777 })
  return folder
}

/** The Dockerfile's last stage, which copies from here what it would copy from the stage before. */
function contextFolder(folder: string, { app, tini }: { app: string; tini: string }): string {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const [, stage] = dockerfile.split(LAST_STAGE)
  if (stage === undefined) throw new Error('the Dockerfile has no stage from RUNTIME_IMAGE')
  copyTo(join(folder, 'usr/bin/tini-static'), tini)
  copyTo(join(folder, 'usr/local/bin/node'), process.execPath)
  cpSync(app, join(folder, 'app'), { recursive: true, verbatimSymlinks: true })
  const text = `ARG RUNTIME_IMAGE${LAST_STAGE}${stage.replaceAll('COPY --from=build ', 'COPY ')}`
  writeFileSync(join(folder, 'Dockerfile'), text)
  return folder
}

function copyTo(target: string, source: string): void {
  mkdirSync(dirname(target), { recursive: true })
  cpSync(realpathSync(source), target)
}
