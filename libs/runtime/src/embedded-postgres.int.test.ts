import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import { isRunning } from './processes.ts'

let dataDir = ''
let postgres: EmbeddedPostgres | undefined
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'posthorn-embedded-'))
})
afterEach(async () => {
  await postgres?.stop()
  postgres = undefined
  await rm(dataDir, { recursive: true, force: true })
})

/** Whether somebody listens there. */
async function answers(...to: [path: string] | [port: number, host: string]): Promise<boolean> {
  return await new Promise((done) => {
    const socket = connect(...(to as [number, string]), () => done(socket.destroy().destroyed))
    socket.once('error', () => done(false))
  })
}

function socketPath({ socketUrl }: EmbeddedPostgres): string {
  const { port, searchParams } = new URL(socketUrl)
  return join(searchParams.get('host') ?? '', `.s.PGSQL.${port}`)
}

/**
 * Another process that starts the Postgres, prints its process number, and lives until it is
 * killed.
 */
async function startElsewhere() {
  const module = JSON.stringify(new URL('embedded-postgres.ts', import.meta.url))
  const code = `
    const { startEmbeddedPostgres } = await import(${module})
    const { pid } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} })
    process.stdout.write(String(pid))
    setInterval(() => {}, 1000)
  `
  const owner = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = await new Promise<number>((done) => {
    owner.stdout.once('data', (data: Buffer) => done(Number(data.toString())))
  })
  const kill = async (): Promise<void> => {
    const gone = new Promise<void>((done) => owner.once('close', () => done()))
    owner.kill('SIGKILL')
    await gone
  }
  return { pid, kill }
}

test('is made once, keeps its password and its port, and stops in good order', async () => {
  postgres = await startEmbeddedPostgres({ dataDir })
  const { url, pid } = postgres
  expect(url).toMatch(/^postgres:\/\/posthorn:[\w-]{32}@127\.0\.0\.1:\d+\/postgres$/)
  expect(postgres.adopted).toBe(false)
  expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600)
  await postgres.stop()
  expect(isRunning(pid)).toBe(false)
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
  expect(log).toContain('database system is shut down')

  postgres = await startEmbeddedPostgres({ dataDir })
  expect(postgres.url).toBe(url)
})

test('outlives an owner that is killed, and is adopted by the next', async () => {
  const owner = await startElsewhere()
  await owner.kill()
  expect(isRunning(owner.pid)).toBe(true)
  const said: string[] = []
  postgres = await startEmbeddedPostgres({ dataDir, say: (line) => said.push(line) })
  expect(postgres).toMatchObject({ adopted: true, pid: owner.pid })
  expect(said).toEqual([`Postgres was still running (process ${owner.pid}): adopted`])
  await postgres.stop()
  expect(isRunning(owner.pid)).toBe(false)
})

test('a second application on the same data is refused while the first lives', async () => {
  const owner = await startElsewhere()
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
    code: 'EMBEDDED_POSTGRES_IN_USE',
  })
  await owner.kill()
  postgres = await startEmbeddedPostgres({ dataDir }) // for afterEach to stop
})

test('starts after its postmaster was killed, and over a stale file that names another process', async () => {
  let isSame = false
  // Somebody else on the machine may take its port meanwhile, but not each time.
  for (let time = 0; time < 3 && !isSame; time += 1) {
    const { pid, url } = await startEmbeddedPostgres({ dataDir })
    process.kill(pid, 'SIGKILL')
    while (isRunning(pid)) await nextTurn()
    postgres = await startEmbeddedPostgres({ dataDir })
    expect(postgres.adopted).toBe(false)
    isSame = postgres.url === url
    if (!isSame) await postgres.stop()
  }
  expect(isSame).toBe(true)
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  const lines = (await readFile(pidFile, 'utf8')).split('\n')
  const path = socketPath(postgres as EmbeddedPostgres)
  await postgres?.stop()

  for (const stale of [pidFile, `${path}.lock`])
    await writeFile(stale, [process.pid, ...lines.slice(1)].join('\n'), { mode: 0o644 })
  postgres = await startEmbeddedPostgres({ dataDir })
  expect(postgres.adopted).toBe(false)
  expect(await answers(socketPath(postgres))).toBe(true)
})

test('its socket stands where only its user and root can reach it', async () => {
  postgres = await startEmbeddedPostgres({ dataDir })
  const path = socketPath(postgres)
  expect(await answers(path)).toBe(true)
  expect((await stat(dirname(path))).mode & 0o077).toBe(0)
  const { socketUrl } = postgres
  await postgres.stop()
  postgres = await startEmbeddedPostgres({ dataDir })
  expect(postgres.socketUrl).toBe(socketUrl)
})

test('is reached over TCP alone where the path of a socket would be too long', async () => {
  await chmod(dataDir, 0o711)
  const long = join(dataDir, 'x'.repeat(80))
  postgres = await startEmbeddedPostgres({ dataDir: long })
  expect(postgres.socketUrl).toBe(postgres.url)
  expect(await answers(Number(new URL(postgres.url).port), '127.0.0.1')).toBe(true)
})

test('is reached over TCP alone where no socket can be made', async () => {
  postgres = await startEmbeddedPostgres({ dataDir })
  const [{ url }, path] = [postgres, socketPath(postgres)]
  await postgres.stop()
  await mkdir(path)
  postgres = await startEmbeddedPostgres({ dataDir })
  expect(postgres).toMatchObject({ url, socketUrl: url })
  expect(await answers(Number(new URL(url).port), '127.0.0.1')).toBe(true)
})

test('takes another port when its own is taken meanwhile', async () => {
  postgres = await startEmbeddedPostgres({ dataDir })
  const first = postgres.url
  await postgres.stop()
  const blocker = await startEmbeddedPostgres({
    dataDir: join(dataDir, 'blocker'),
    settings: { max_connections: 10 },
  })
  await writeFile(join(dataDir, 'postgres-port'), new URL(blocker.url).port)
  try {
    postgres = await startEmbeddedPostgres({ dataDir })
    const ports = [first, blocker.url, postgres.url].map((url) => new URL(url).port)
    expect(ports[2]).not.toBe(ports[1])
    expect(await answers(Number(ports[2]), '127.0.0.1')).toBe(true)
    expect(await answers(socketPath(postgres))).toBe(true)
  } finally {
    await blocker.stop()
  }
})

test('a password that was lost is said, and nothing is thrown away', async () => {
  postgres = await startEmbeddedPostgres({ dataDir })
  await postgres.stop()
  postgres = undefined
  await rm(join(dataDir, 'postgres-password'))
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('Put the file back')
  expect((await stat(join(dataDir, 'postgres', 'PG_VERSION'))).isFile()).toBe(true)
})

test('works below a folder that only its owner may enter', async () => {
  const closed = join(dataDir, 'closed')
  await mkdir(closed, { mode: 0o700 })
  const inner = join(closed, 'data')
  const said: string[] = []
  postgres = await startEmbeddedPostgres({ dataDir: inner, say: (line) => said.push(line) })
  expect(isRunning(postgres.pid)).toBe(true)
  // Root's Postgres runs as another user, who cannot enter here: its files are elsewhere, and a
  // line says so.
  const isRoot = process.getuid?.() === 0
  const location = await readFile(join(inner, 'postgres-location'), 'utf8').catch(() => undefined)
  expect(said.some((line) => line.includes('the database is kept in'))).toBe(isRoot)
  const cluster = location?.trim() ?? join(inner, 'postgres')
  expect(cluster.startsWith(inner)).toBe(!isRoot)
  expect((await stat(join(cluster, 'PG_VERSION'))).isFile()).toBe(true)

  await postgres.stop()
  const first = postgres.url
  postgres = await startEmbeddedPostgres({ dataDir: inner })
  expect(postgres.url).toBe(first)
  await postgres.stop()
  if (isRoot) await rm(dirname(cluster), { recursive: true })
})
