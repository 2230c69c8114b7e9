/**
 * What the image has, run as the chart's and Compose's pods run it: every file system is read-only
 * but /tmp, the user is nobody in particular, and no right is left. All that a service needs to
 * write must work there. Linux as root alone can make such a place.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from '@jest/globals'
import { freePort } from '@posthorn/local-stores/free-port'
import { startKafkaServer } from '@posthorn/local-stores/kafka-server'
import { startRedisServer } from '@posthorn/local-stores/redis-server'
import type { ServerHandle } from '@posthorn/local-stores/server-process'
import { createTestDatabase, type TestDatabase } from '@posthorn/testing/databases'
import { eventually } from '@posthorn/testing/eventually'
import { HEAP_FLAGS } from '../../scripts/heap.mjs'
import { SERVICES } from '../../scripts/cluster/options.ts'
import { root, run, testWith } from './tools.ts'

const FLAGS = ['--disable-warning=ExperimentalWarning', ...HEAP_FLAGS]
const TIMEOUT_MS = 240_000
/** The image's folder, seen at /mnt, which every Linux has, in a view of the files of its own. */
const INSIDE = '/mnt'
/** $1: the folder; the rest is the command. What is mounted below /mnt is hidden by then. */
const CONFINED = `
set -e
mount --make-rprivate /
mount --bind "$1" ${INSIDE}
mount -t tmpfs -o mode=1777 tmpfs /tmp
while read -r _ at _; do
  case "$at" in
    /proc*|/sys*|/tmp|/tmp/*|${INSIDE}/*) ;;
    *) mount -o remount,bind,ro "$at" ;;
  esac
done < /proc/mounts
shift
cd ${INSIDE}
exec setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
`

let folder: string
let database: TestDatabase
/** Their own: services take work from topics that have the same name everywhere. */
let redis: ServerHandle
let kafka: ServerHandle
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-read-only-'))
  const script = join(root, 'deploy/image/assemble.mjs')
  const { code, stderr } = await run(process.execPath, [script, root, folder])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await copyFile(process.execPath, join(folder, 'node'))
  await run('chmod', ['-R', 'a+rX', folder])
  database = await createTestDatabase()
  ;[redis, kafka] = await Promise.all([startRedisServer(), startKafkaServer()])
})
afterAll(async () => {
  await database?.drop()
  await redis?.stop()
  await kafka?.stop()
  await rm(folder, { recursive: true, force: true })
})

type Tools = Record<'unshare' | 'setpriv', string>

function confine({ unshare }: Tools, command: readonly string[], env: NodeJS.ProcessEnv) {
  const args = ['--mount', 'sh', '-c', CONFINED, 'confined', folder, `${INSIDE}/node`, ...command]
  return spawn(unshare, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function collect(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (text += part))
  return () => text
}

testWith(
  ['unshare', 'setpriv'],
  'the place is as it is meant: only /tmp can be written to, by a user without rights',
  async (tools) => {
    const script = `
      const attempt = (path) => {
        try { fs.writeFileSync(path, ''); return 'written' } catch ({ code }) { return code }
      }
      const rights = fs.readFileSync('/proc/self/status', 'utf8').match(/Cap(Eff|Bnd):.*/g)
      console.log(JSON.stringify([process.getuid(), rights.every((one) => /\\t0+$/.test(one)),
        ...['/tmp/a', '${INSIDE}/package.json', '/var/tmp/a', '/dev/shm/a', '/a'].map(attempt)]))`
    const child = confine(tools, ['-e', script], {})
    const said = collect(child)
    await once(child, 'close')
    const refused = ['EROFS', 'EROFS', 'EROFS', 'EROFS']
    expect(said()).toBe(`${JSON.stringify([10001, true, 'written', ...refused])}\n`)
  },
)

testWith(
  ['unshare', 'setpriv'],
  'every service starts there, gets ready and ends in good order; the migration too',
  async (tools) => {
    const env = {
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      KAFKA_BROKERS: kafka.url,
      MASTER_KEY: randomBytes(32).toString('base64'),
      PUBLIC_URL: 'https://hooks.example.com',
    }
    const entry = [...FLAGS, `${INSIDE}/scripts/posthorn.mjs`]
    const migration = confine(tools, [...entry, 'migrate'], env)
    const said = collect(migration)
    const [code] = await once(migration, 'close')
    expect({ code, said: said() }).toMatchObject({ code: 0 })
    for (const service of SERVICES) {
      const port = await freePort()
      const child = confine(tools, [...entry, service], { ...env, PORT: String(port) })
      const printed = collect(child)
      const closed = once(child, 'close')
      let got: string | boolean = 'not ready'
      try {
        got = await eventually<string | boolean>(
          async () => {
            if (child.exitCode !== null) return 'ended by itself'
            return (await fetch(`http://127.0.0.1:${port}/ready`)).status === 200 && 'ready'
          },
          { timeoutMs: 60_000, everyMs: 100 },
        )
      } finally {
        child.kill('SIGTERM')
      }
      const [ended] = await closed
      expect({ service, got, ended, said: printed() }).toMatchObject({ got: 'ready', ended: 0 })
      expect(printed()).not.toMatch(/EROFS|EACCES|EPERM/)
    }
  },
  TIMEOUT_MS,
)
