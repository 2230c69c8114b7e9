/**
 * Provides Apache Kafka's jars, from Maven Central into a cache folder of the user's, each checked
 * against the committed list; and other files of Maven Central in the same way.
 *
 * Maven fetches them where it is installed, else they are downloaded one by one. There is no other
 * source: a machine without a network needs `TEST_KAFKA_BROKERS` or a filled cache folder.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, extname, join } from 'node:path'

export const KAFKA_VERSION = '4.1.0'
/** Where Maven looks by itself; `MAVEN_REPOSITORY_URL` names a mirror. */
const CENTRAL = 'https://repo.maven.apache.org/maven2'
/** 43 MB in all, at most 6 MB of them in one jar. */
const KAFKA_FETCH: MavenFetch = {
  name: `Kafka ${KAFKA_VERSION}`,
  size: '43 MB',
  timeoutMs: 300_000,
  otherwise: ', or set TEST_KAFKA_BROKERS to a Kafka of your own',
}
const DOWNLOADS_AT_ONCE = 6

/** A file that Maven Central has. */
export interface MavenFile {
  sha256: string
  /** The path in a Maven repository: group/artifact/version/file. */
  path: string
}

export interface MavenFetch {
  /** What the files are, for people. */
  name: string
  size: string
  /** For all of them by Maven, and for one of them without it. */
  timeoutMs: number
  /** What else somebody without Maven Central can do: the end of a sentence, or nothing. */
  otherwise: string
}

export interface KafkaJarsOptions {
  /** By default the user's cache folder. */
  cacheDir?: string
  /** A mirror that is asked directly; by default `MAVEN_REPOSITORY_URL`, or Maven. */
  repositoryUrl?: string
}

/**
 * The folder that contains the jars, filled first if need be. Other things may be cached beside it.
 */
export async function kafkaCacheDir(options: KafkaJarsOptions = {}): Promise<string> {
  const root = options.cacheDir ?? join(cacheHome(), 'posthorn')
  const target = join(root, `kafka-${KAFKA_VERSION}`)
  const jars = await readList()
  const there = jars.map(async ({ path }) => await access(join(target, 'jars', basename(path))))
  const missing = (await Promise.allSettled(there)).some(({ status }) => status === 'rejected')
  if (!missing) return target

  await mkdir(root, { recursive: true })
  const draft = await mkdtemp(`${target}.new-`)
  try {
    await mkdir(join(draft, 'jars'))
    const mirror = options.repositoryUrl ?? mavenMirror()
    await fetchFromMaven(jars, join(draft, 'jars'), KAFKA_FETCH, mirror)
    await rm(target, { recursive: true, force: true })
    await rename(draft, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error // another was first
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return target
}

export function cacheHome(): string {
  return process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
}

async function readList(): Promise<MavenFile[]> {
  const text = await readFile(new URL('kafka-jars.sha256', import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [sha256 = '', path = ''] = line.split(/\s+/)
      return { sha256, path }
    })
}

function mavenMirror(): string | undefined {
  return process.env['MAVEN_REPOSITORY_URL']
}

/** Puts the files into a folder, each with the bytes that it must have. Throws with what to do. */
export async function fetchFromMaven(
  files: readonly MavenFile[],
  dir: string,
  { name, size, timeoutMs, otherwise }: MavenFetch,
  mirror = mavenMirror(),
): Promise<void> {
  process.stderr.write(`fetching ${name} (${size}), once\n`)
  const byMaven = mirror
    ? 'A mirror is set, so Maven was not asked.'
    : await fetchByMaven(files, dir, timeoutMs)
  if (byMaven === undefined) return
  try {
    await download(files, dir, { base: mirror || CENTRAL, timeoutMs })
  } catch (cause) {
    throw new Error(
      `${name} could not be fetched. ${byMaven} Directly: ${(cause as Error).message}. ` +
        `Allow access to Maven Central (or a mirror in MAVEN_REPOSITORY_URL)${otherwise}.`,
      { cause },
    )
  }
}

/** @returns undefined when it worked, else why not */
async function fetchByMaven(
  files: readonly MavenFile[],
  dir: string,
  timeoutMs: number,
): Promise<string | undefined> {
  if (spawnSync('mvn', ['--version']).status !== 0) return 'Maven (mvn) is not installed.'
  const pom = join(dir, 'pom.xml')
  await writeFile(pom, projectOf(files))
  const goal = [
    'dependency:copy-dependencies',
    '-DincludeScope=runtime',
    `-DoutputDirectory=${dir}`,
  ]
  const done = spawnSync('mvn', ['-B', '-q', '-f', pom, ...goal], {
    encoding: 'utf8',
    timeout: timeoutMs,
  })
  await rm(pom)
  if (done.status !== 0) {
    const reason = done.stdout.split('\n').find((line) => line.includes('ERROR')) ?? 'no reason'
    return `Maven failed: ${reason.slice(0, 300)}.`
  }
  for (const { path, sha256 } of files) {
    const bytes = await readFile(join(dir, basename(path))).catch(() => Buffer.alloc(0))
    if (sha256Of(bytes) !== sha256) return `Maven brought another ${basename(path)}.`
  }
  return undefined
}

function projectOf(files: readonly MavenFile[]): string {
  const dependencies = files.map(({ path }) => {
    const parts = path.split('/')
    const [artifact, version] = parts.slice(-3, -1)
    const group = parts.slice(0, -3).join('.')
    const none =
      '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>'
    return (
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>` +
      `<version>${version}</version><type>${extname(path).slice(1)}</type>${none}</dependency>`
    )
  })
  return (
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>' +
    '<groupId>posthorn</groupId><artifactId>fetched-for-tests</artifactId><version>1</version>' +
    `<dependencies>${dependencies.join('')}</dependencies></project>\n`
  )
}

async function download(
  files: readonly MavenFile[],
  dir: string,
  { base, timeoutMs }: { base: string; timeoutMs: number },
): Promise<void> {
  const waiting = [...files]
  const one = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const { path, sha256 } = file
      const response = await fetch(`${base}/${path}`, { signal: AbortSignal.timeout(timeoutMs) })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      const bytes = Buffer.from(await response.arrayBuffer())
      if (sha256Of(bytes) !== sha256) throw new Error(`${path}: not the bytes of the list`)
      await writeFile(join(dir, basename(path)), bytes)
    }
  }
  const ends = await Promise.allSettled(
    Array.from({ length: DOWNLOADS_AT_ONCE }, async () => {
      try {
        await one()
      } catch (error) {
        waiting.length = 0 // what is left would be thrown away
        throw error
      }
    }),
  )
  // The folder may be removed only once none of them writes any more.
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
