/**
 * Provides Apache Kafka's jars, from Maven Central into a cache folder of the user's, each checked
 * against the committed list.
 *
 * Maven fetches them where it is installed, else they are downloaded one by one. There is no other
 * source: a machine without a network needs `TEST_KAFKA_BROKERS` or a filled cache folder.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'

export const KAFKA_VERSION = '4.1.0'
/** Where Maven looks by itself; `MAVEN_REPOSITORY_URL` names a mirror. */
const CENTRAL = 'https://repo.maven.apache.org/maven2'
/** 43 MB in all; a jar has at most 6 MB, which is 50 KB/s at this limit. */
const DOWNLOAD_TIMEOUT_MS = 120_000
const MAVEN_TIMEOUT_MS = 300_000
const DOWNLOADS_AT_ONCE = 6

interface Jar {
  sha256: string
  /** The path in a Maven repository: group/artifact/version/file. */
  path: string
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
    const mirror = options.repositoryUrl ?? process.env['MAVEN_REPOSITORY_URL']
    await fetchJars(jars, join(draft, 'jars'), mirror)
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

async function readList(): Promise<Jar[]> {
  const text = await readFile(new URL('kafka-jars.sha256', import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [sha256 = '', path = ''] = line.split(/\s+/)
      return { sha256, path }
    })
}

async function fetchJars(
  jars: readonly Jar[],
  dir: string,
  mirror: string | undefined,
): Promise<void> {
  process.stderr.write(`fetching Kafka ${KAFKA_VERSION} (${jars.length} jars, 43 MB), once\n`)
  const byMaven = mirror
    ? 'A mirror is set, so Maven was not asked.'
    : await fetchByMaven(jars, dir)
  if (byMaven === undefined) return
  try {
    await download(jars, dir, mirror || CENTRAL)
  } catch (cause) {
    throw new Error(
      `Kafka could not be fetched. ${byMaven} Directly: ${(cause as Error).message}. ` +
        'Allow access to Maven Central (or a mirror in MAVEN_REPOSITORY_URL), ' +
        'or set TEST_KAFKA_BROKERS to a Kafka of your own.',
      { cause },
    )
  }
}

/** @returns undefined when it worked, else why not */
async function fetchByMaven(jars: readonly Jar[], dir: string): Promise<string | undefined> {
  if (spawnSync('mvn', ['--version']).status !== 0) return 'Maven (mvn) is not installed.'
  const pom = join(dir, 'pom.xml')
  await writeFile(pom, projectOf(jars))
  const goal = [
    'dependency:copy-dependencies',
    '-DincludeScope=runtime',
    `-DoutputDirectory=${dir}`,
  ]
  const done = spawnSync('mvn', ['-B', '-q', '-f', pom, ...goal], {
    encoding: 'utf8',
    timeout: MAVEN_TIMEOUT_MS,
  })
  await rm(pom)
  if (done.status !== 0) {
    const reason = done.stdout.split('\n').find((line) => line.includes('ERROR')) ?? 'no reason'
    return `Maven failed: ${reason.slice(0, 300)}.`
  }
  for (const { path, sha256 } of jars) {
    const bytes = await readFile(join(dir, basename(path))).catch(() => Buffer.alloc(0))
    if (sha256Of(bytes) !== sha256) return `Maven brought another ${basename(path)}.`
  }
  return undefined
}

function projectOf(jars: readonly Jar[]): string {
  const dependencies = jars.map(({ path }) => {
    const parts = path.split('/')
    const [artifact, version] = parts.slice(-3, -1)
    const group = parts.slice(0, -3).join('.')
    const none =
      '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>'
    return (
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>` +
      `<version>${version}</version>${none}</dependency>`
    )
  })
  return (
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>' +
    '<groupId>posthorn</groupId><artifactId>kafka-for-tests</artifactId><version>1</version>' +
    `<dependencies>${dependencies.join('')}</dependencies></project>\n`
  )
}

async function download(jars: readonly Jar[], dir: string, base: string): Promise<void> {
  const waiting = [...jars]
  const one = async (): Promise<void> => {
    for (let jar = waiting.pop(); jar !== undefined; jar = waiting.pop()) {
      const response = await fetch(`${base}/${jar.path}`, {
        signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
      })
      if (!response.ok) throw new Error(`${jar.path}: ${response.status}`)
      const bytes = Buffer.from(await response.arrayBuffer())
      if (sha256Of(bytes) !== jar.sha256) throw new Error(`${jar.path}: not the bytes of the list`)
      await writeFile(join(dir, basename(jar.path)), bytes)
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
