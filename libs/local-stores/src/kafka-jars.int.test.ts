import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { kafkaCacheDir } from './kafka-jars.ts'

let dir = ''
let mirror: Server | undefined
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posthorn-jars-'))
})
afterEach(async () => {
  const closed = new Promise((done) => mirror?.close(done))
  mirror?.closeAllConnections()
  await closed
  await rm(dir, { recursive: true, force: true })
})

/** A Maven repository of the jars that this machine has; `change` may corrupt one. */
async function startMirror(change: (bytes: Buffer, name: string) => Buffer): Promise<string> {
  const jars = join(await kafkaCacheDir(), 'jars')
  const server = createServer(async (request, response) => {
    const name = basename(request.url ?? '')
    const bytes = await readFile(join(jars, name)).catch(() => undefined)
    if (bytes === undefined) response.writeHead(404).end()
    else response.end(change(bytes, name))
  })
  mirror = server
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/maven2`
}

test('without Maven every jar is downloaded, once', async () => {
  let downloads = 0
  const repositoryUrl = await startMirror((bytes) => {
    downloads += 1
    return bytes
  })
  const first = await kafkaCacheDir({ cacheDir: dir, repositoryUrl })
  const jars = await readdir(join(first, 'jars'))
  expect(jars).toContain('kafka_2.13-4.1.0.jar')
  expect(jars).toHaveLength(downloads)
  expect(await kafkaCacheDir({ cacheDir: dir, repositoryUrl })).toBe(first)
  expect(jars).toHaveLength(downloads)
}, 360_000) // the mirror's own jars may have to be fetched

test('a jar of other bytes is refused, and nothing half is left', async () => {
  const repositoryUrl = await startMirror((bytes, name) =>
    name.startsWith('kafka-raft') ? Buffer.from('something else') : bytes,
  )
  await expect(kafkaCacheDir({ cacheDir: dir, repositoryUrl })).rejects.toThrow(
    /kafka-raft-4\.1\.0\.jar: not the bytes of the list.*TEST_KAFKA_BROKERS/,
  )
  expect(await readdir(dir)).toEqual([])
}, 360_000)
