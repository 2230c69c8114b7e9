/**
 * A Keycloak of this run's own, on loopback: fetched from Maven Central once, unpacked once, and
 * started with a database in memory, so that nothing of an earlier run is there.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { findJava } from '@posthorn/local-stores/find-java'
import { freePort } from '@posthorn/local-stores/free-port'
import { cacheHome, fetchFromMaven } from '@posthorn/local-stores/kafka-jars'
import { startServerProcess } from '@posthorn/local-stores/server-process'
import type { TlsProxy } from './form-browser.ts'

const VERSION = '26.7.3'
const ARCHIVE = {
  sha256: '27a6535553c3cdcd083872ba40629efafb3475e3b758e0c6f691395561dd0f1f',
  path: `org/keycloak/keycloak-quarkus-dist/${VERSION}/keycloak-quarkus-dist-${VERSION}.zip`,
}
const FETCH = { name: `Keycloak ${VERSION}`, size: '177 MB', timeoutMs: 600_000, otherwise: '' }
/** The first start takes a minute or two on two busy processors, because it prepares itself. */
const START_MS = 400_000
const STOP_MS = 20_000
const UNPACK_MS = 120_000
const REQUEST_MS = 30_000

export interface Keycloak {
  url: string
  /** Where it has TLS: SAML's addresses must have it. */
  proxy: TlsProxy
  /** Makes a thing by the administration's API; `path` is below `/admin/realms`. */
  create(path: string, what: object): Promise<void>
  stop(): Promise<void>
}

export async function startKeycloak(): Promise<Keycloak> {
  findJava('Keycloak')
  const home = await ensureKeycloak()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const dir = await mkdtemp(join(tmpdir(), 'posthorn-keycloak-'))
  const password = randomBytes(16).toString('hex')
  const { stop } = await startServerProcess({
    name: 'Keycloak',
    url,
    command: 'bash',
    args: [
      join(home, 'bin', 'kc.sh'),
      'start-dev',
      '--db=dev-mem',
      '--http-host=127.0.0.1',
      `--http-port=${port}`,
      '--proxy-headers=xforwarded',
    ],
    env: { KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: password },
    logPath: join(dir, 'keycloak.log'),
    temporaryDir: dir,
    isReady: async () => (await ask(`${url}/realms/master`)).ok,
    readyTimeoutMs: START_MS,
    stopTimeoutMs: STOP_MS,
  })
  return {
    url,
    proxy: { origin: 'https://keycloak.example', target: url },
    async create(path, what) {
      const token = await adminToken(url, password)
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(what) }
      const response = await ask(`${url}/admin/realms${path}`, init)
      if (response.status === 201) return
      throw new Error(`Keycloak, ${path}: ${response.status} ${await response.text()}`)
    },
    stop,
  }
}

/** A token lasts a minute, so each request gets one of its own. */
async function adminToken(url: string, password: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'password',
    client_id: 'admin-cli',
    username: 'admin',
    password,
  })
  const path = '/realms/master/protocol/openid-connect/token'
  const response = await ask(url + path, { method: 'POST', body })
  const { access_token: token } = (await response.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`Keycloak does not know its admin: ${response.status}`)
  return token
}

async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  return await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_MS) })
}

/** The folder of the distribution; it is fetched and unpacked first if need be. */
async function ensureKeycloak(): Promise<string> {
  const root = join(cacheHome(), 'posthorn')
  const target = join(root, `keycloak-${VERSION}`)
  const isThere = await access(target).then(
    () => true,
    () => false,
  )
  if (isThere) return target
  await mkdir(root, { recursive: true })
  const draft = await mkdtemp(`${target}.new-`)
  try {
    await fetchFromMaven([ARCHIVE], draft, FETCH)
    // Python is there: other peers are installed with it. Not every machine has `unzip`.
    const unpack = ['-m', 'zipfile', '-e', join(draft, basename(ARCHIVE.path)), draft]
    await promisify(execFile)('python3', unpack, { timeout: UNPACK_MS })
    const unpacked = join(draft, `keycloak-${VERSION}`)
    await rename(unpacked, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error // another was first
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return target
}
