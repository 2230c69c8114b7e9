import { expect, test } from '@jest/globals'
import { connect } from 'node:net'
import { Client } from 'pg'
import { kafkaBrokers, postgresUrl, redisUrl, s3Url } from './stores.ts'

async function listens(host: string, port: number): Promise<boolean> {
  return await new Promise((done) => {
    const socket = connect(port, host, () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}

test('Postgres answers, commits as the product does, and is started once', async () => {
  const url = await postgresUrl()
  expect(await postgresUrl()).toBe(url)
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ fsync: string; commit: string }>(
    "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
  )
  await client.end()
  // Nothing outlives the run, so nothing is synced to the disk (`stores-service.ts`).
  expect(rows).toEqual([{ fsync: 'off', commit: 'on' }])
})

test('Redis listens where it says', async () => {
  const url = new URL(await redisUrl())
  expect(await listens(url.hostname, Number(url.port))).toBe(true)
})

test('Kafka listens where it says', async () => {
  const [host = '', port = ''] = (await kafkaBrokers()).split(',')[0]?.split(':') ?? []
  expect(await listens(host, Number(port))).toBe(true)
}, 360_000) // the first time its jars are fetched

test('S3 listens where it says, and serves nobody without a signature', async () => {
  const { username, password, host } = new URL(await s3Url())
  expect([username, password]).not.toContain('')
  const answer = await fetch(`http://${host}/`, { headers: { Connection: 'close' } })
  expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('<Error>')])
}, 660_000) // the first time it is built
