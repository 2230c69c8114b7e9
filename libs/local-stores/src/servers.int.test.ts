import { afterEach, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { isRunning } from '@posthorn/runtime/processes'
import { Client } from 'pg'
import { eventually } from '@posthorn/testing/eventually'
import { startPostgresServer } from './postgres-server.ts'
import { startRedisServer } from './redis-server.ts'
import type { ServerHandle } from './server-process.ts'

let server: ServerHandle | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

test('a Redis is killed and comes back at the same place as another process', async () => {
  server = await startRedisServer()
  const { pid, url } = server
  expect(isRunning(pid)).toBe(true)
  await server.kill()
  expect(server.pid).toBe(0)
  expect(isRunning(pid)).toBe(false)
  await server.restart()
  expect(server.url).toBe(url)
  expect(isRunning(server.pid)).toBe(true)
  expect(server.pid).not.toBe(pid)
})

test('a Postgres that is killed has kept what it committed', async () => {
  server = await startPostgresServer()
  await query(server.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
  await server.kill()
  await expect(query(server.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
  await server.restart()
  expect(await query(server.url, 'SELECT answer FROM kept')).toEqual([42])
})

test('servers end with an owner that is killed', async () => {
  const code = `
    const { startRedisServer } = await import(${JSON.stringify(new URL('redis-server.ts', import.meta.url))})
    const { startPostgresServer } = await import(${JSON.stringify(new URL('postgres-server.ts', import.meta.url))})
    const servers = [await startRedisServer(), await startPostgresServer()]
    console.log(JSON.stringify(servers.map(({ pid }) => pid)))
    setInterval(() => {}, 1000)
  `
  const owner = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(owner.stdout)
  const line = await new Promise<string>((done) => lines.once('line', done))
  const pids = JSON.parse(line) as number[]
  expect(pids.map(isRunning)).toEqual([true, true])
  owner.kill('SIGKILL')
  lines.close()
  await eventually(() => pids.every((pid) => !isRunning(pid)))
})

test('a server that cannot start says why', async () => {
  server = await startRedisServer()
  const taken = Number(new URL(server.url).port)
  await expect(startRedisServer({ port: taken })).rejects.toThrow(
    /Redis did not start \(redis-server\): it ended with 1[^]*Address already in use/,
  )
})
