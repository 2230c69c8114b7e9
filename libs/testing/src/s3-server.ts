/**
 * A real S3 server on this machine: versitygw, over files in a folder. The one on the PATH is taken, else it is built
 * once by Go into a cache folder of the user's (some two minutes on two cores); Go checks what it fetches against its
 * own checksum database.
 *
 * The address holds the credentials of its owner: `http://<access key>:<secret key>@<host>:<port>`.
 */
import { execFile, spawnSync } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { cacheHome } from './kafka-jars.ts'
import { type ServerHandle, startServerProcess } from './server-process.ts'

export const VERSITYGW_VERSION = '1.8.0'
export const S3_KEYS = { access: 'posthorn', secret: 'posthorn-secret-key' }
const PACKAGE = `github.com/versity/versitygw/cmd/versitygw@v${VERSITYGW_VERSION}`
/** Measured: 98 s of one core with 2 cores, fetching included. */
const BUILD_TIMEOUT_MS = 600_000

export async function startS3Server(): Promise<ServerHandle> {
  const command = await ensureVersitygw()
  const port = await freePort()
  const dir = await mkdtemp(join(tmpdir(), 'posthorn-s3-'))
  const [objects, sidecar] = [join(dir, 'objects'), join(dir, 'metadata')]
  await mkdir(objects)
  await mkdir(sidecar)
  const listen = ['--port', `127.0.0.1:${port}`, '--keep-alive', '--quiet']
  const keys = ['--access', S3_KEYS.access, '--secret', S3_KEYS.secret]
  return await startServerProcess({
    name: 'versitygw',
    url: `http://${S3_KEYS.access}:${S3_KEYS.secret}@127.0.0.1:${port}`,
    command,
    // Not every file system has the attributes that it would keep metadata in.
    args: [...listen, ...keys, 'posix', '--sidecar', sidecar, objects],
    logPath: join(dir, 'versitygw.log'),
    temporaryDir: dir,
    isReady: async () => await speaksS3(port),
    readyTimeoutMs: 15_000,
    stopTimeoutMs: 5_000,
  })
}

async function ensureVersitygw(): Promise<string> {
  if (spawnSync('versitygw', ['--version']).status === 0) return 'versitygw'
  const folder = join(cacheHome(), 'posthorn', `versitygw-${VERSITYGW_VERSION}`)
  const built = join(folder, 'versitygw')
  const isThere = await access(built).then(
    () => true,
    () => false,
  )
  if (isThere) return built
  const how =
    `Install Go 1.25 or newer and run again, or put versitygw ${VERSITYGW_VERSION} on the PATH, ` +
    'or set TEST_S3_URL to an S3 server of your own (http://<access key>:<secret key>@<host>:<port>).'
  if (spawnSync('go', ['version']).status !== 0) {
    throw new Error(`There is neither versitygw nor Go on the PATH. ${how}`)
  }
  await mkdir(join(folder, '..'), { recursive: true })
  const draft = await mkdtemp(`${folder}.new-`)
  process.stderr.write(`building versitygw ${VERSITYGW_VERSION}, an S3 server, with Go, once\n`)
  try {
    // Not spawnSync: whoever builds has other stores to start meanwhile.
    await promisify(execFile)('go', ['install', '-trimpath', '-ldflags=-s -w', PACKAGE], {
      env: { ...process.env, GOBIN: draft, CGO_ENABLED: '0' },
      timeout: BUILD_TIMEOUT_MS,
    })
    await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error // another was first
    })
  } catch (cause) {
    const reason = (cause as Error).message.slice(-600)
    throw new Error(`Go could not build versitygw: ${reason}\n${how}`, { cause })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return built
}

/** It refuses a request without a signature, and says so in S3's words. */
async function speaksS3(port: number): Promise<boolean> {
  return await new Promise((done, failed) => {
    const asked = request({ host: '127.0.0.1', port, agent: false, timeout: 1_000 }, (response) => {
      response.resume()
      done(response.statusCode === 403)
    })
    asked.once('timeout', () => asked.destroy())
    asked.once('error', failed)
    asked.end()
  })
}
