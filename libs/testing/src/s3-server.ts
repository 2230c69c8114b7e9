/**
 * A real S3 server on this machine: versitygw, over files in a folder.
 *
 * The address contains the credentials of its owner: `http://<access key>:<secret
 * key>@<host>:<port>`.
 */
import { mkdir, mkdtemp } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@posthorn/local-stores/free-port'
import { ensureGoBinary } from './go-binary.ts'
import { type ServerHandle, startServerProcess } from '@posthorn/local-stores/server-process'

export const VERSITYGW_VERSION = '1.8.0'
export const S3_KEYS = { access: 'posthorn', secret: 'posthorn-secret-key' }

export async function startS3Server(): Promise<ServerHandle> {
  const command = await ensureGoBinary({
    name: 'versitygw',
    version: VERSITYGW_VERSION,
    package: 'github.com/versity/versitygw/cmd/versitygw',
    what: 'an S3 server',
    otherwise:
      'or set TEST_S3_URL to an S3 server of your own (http://<access key>:<secret key>@<host>:<port>)',
  })
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
    // Not every file system has the attributes in which it would keep metadata.
    args: [...listen, ...keys, 'posix', '--sidecar', sidecar, objects],
    logPath: join(dir, 'versitygw.log'),
    temporaryDir: dir,
    isReady: async () => await speaksS3(port),
    readyTimeoutMs: 15_000,
    stopTimeoutMs: 5_000,
  })
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
