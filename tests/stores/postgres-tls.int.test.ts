/** Postgres with `sslmode=verify-full` and an authority of the operator's. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeCertificate } from '@posthorn/egress/certificate.fixture'
import { startPostgresServer } from '@posthorn/local-stores/postgres-server'
import type { ServerHandle } from '@posthorn/local-stores/server-process'
import { diagnosePostgres } from '@posthorn/store/diagnose-postgres'
import { migrate } from '@posthorn/store/migrate'
import { openPrisma } from '@posthorn/store/prisma'
import { turnTlsOn, withPool } from './postgres-servers.ts'

let dir: string
let server: ServerHandle
let plainUrl: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posthorn-postgres-tls-'))
  const authority = makeCertificate({ name: 'an authority of the operator' })
  const other = makeCertificate({ name: 'an authority of the operator' })
  await writeFile(join(dir, 'ca.pem'), authority.cert)
  await writeFile(join(dir, 'other.pem'), other.cert)
  server = await startPostgresServer()
  plainUrl = server.url
  const altNames = ['127.0.0.1']
  await turnTlsOn(server, makeCertificate({ name: 'postgres', altNames, signedBy: authority }))
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

function urlWith(ca: string, change: (url: URL) => void = () => {}): string {
  const url = new URL(plainUrl)
  url.searchParams.set('sslmode', 'verify-full')
  url.searchParams.set('sslrootcert', join(dir, ca))
  change(url)
  return url.href
}

async function wrongOf(url: string, now: () => number = Date.now): Promise<string> {
  const findings = await diagnosePostgres({ url }, now)
  return findings
    .filter(({ level }) => level === 'wrong')
    .map(({ text }) => text)
    .join('\n')
}

test('migrations, the pipeline and Prisma come by TLS', async () => {
  const url = urlWith('ca.pem')
  await migrate(url)
  const asked = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
  const { rows } = await withPool(url, (pool) => pool.query(asked))
  expect(rows).toEqual([{ ssl: true }])
  const prisma = openPrisma(url, 1)
  expect(await prisma.$queryRawUnsafe(asked)).toEqual([{ ssl: true }])
  await prisma.$disconnect()
  expect(await wrongOf(url)).toBe('')
})

test.each<[what: string, url: () => string, words: string]>([
  ['a wrong authority', () => urlWith('other.pem'), 'an authority that is not trusted here'],
  ['no such file', () => urlWith('gone.pem'), 'the file that the URL names is not there'],
  [
    'another name',
    () => urlWith('ca.pem', (url) => void (url.hostname = 'localhost')),
    'for another name',
  ],
  [
    'a wrong password',
    () => urlWith('ca.pem', (url) => void (url.password = 'wrong')),
    'it refuses the user or password',
  ],
  [
    'no such database',
    () => urlWith('ca.pem', (url) => void (url.pathname = '/nowhere')),
    'there is no such database',
  ],
])('%s is said in words', async (_what, url, words) => {
  expect(await wrongOf(url())).toContain(words)
})

test('a clock that is a minute wrong is said in words', async () => {
  expect(await wrongOf(urlWith('ca.pem'), () => Date.now() - 60_000)).toContain('its clock is')
})
