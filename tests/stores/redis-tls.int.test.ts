/** Shared state in a Redis with TLS of its own authority, by a user with few rights. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Certificate, makeCertificate } from '@posthorn/egress/certificate.fixture'
import { freePort } from '@posthorn/local-stores/free-port'
import { startRedisServer } from '@posthorn/local-stores/redis-server'
import type { ServerHandle } from '@posthorn/local-stores/server-process'
import { controlsConformance } from '@posthorn/state/controls.conformance'
import { diagnoseRedis } from '@posthorn/state/diagnose-redis'
import type { RedisAccess } from '@posthorn/state/redis-clients'
import { createRedisState } from '@posthorn/state/redis-state'
import { LONG_TIMEOUT, stateConformance } from '@posthorn/state/state.conformance'
import { eventually } from '@posthorn/testing/eventually'

/** As docs/operations.md has it. */
const RIGHTS =
  '-@all +@connection +get +set +del +pexpire +lpush +lpop +rpop +lindex +llen +ltrim +mget ' +
  '+hkeys +hdel +hincrby +hgetall +eval +evalsha +time +info'

let dir: string
let authority: Certificate
let server: ServerHandle
let url: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posthorn-redis-tls-'))
  authority = makeCertificate({ name: 'an authority of the operator' })
  const own = makeCertificate({ name: 'redis', altNames: ['127.0.0.1'], signedBy: authority })
  await writeFile(join(dir, 'cert.pem'), own.cert)
  await writeFile(join(dir, 'key.pem'), own.key)
  const port = await freePort()
  server = await startRedisServer({
    settings: [
      `tls-port ${port}`,
      `tls-cert-file ${join(dir, 'cert.pem')}`,
      `tls-key-file ${join(dir, 'key.pem')}`,
      `tls-ca-cert-file ${join(dir, 'cert.pem')}`,
      'tls-auth-clients no',
      `user posthorn on >p@ss:word ~posthorn:* resetchannels ${RIGHTS}`,
    ],
  })
  url = `rediss://posthorn:${encodeURIComponent('p@ss:word')}@127.0.0.1:${port}/0`
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

function rejectErrors(error: unknown, doing: string): never {
  throw new Error(doing, { cause: error })
}

const makeState = () =>
  createRedisState(
    { url, ca: authority.cert, prefix: `posthorn:${randomUUID()}:`, ...LONG_TIMEOUT },
    { onError: rejectErrors },
  )
stateConformance('Redis with TLS and an ACL user', makeState)
controlsConformance('Redis with TLS and an ACL user', makeState)

test('a server whose certificate another authority signed is not believed', async () => {
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const { cert } = makeCertificate({ name: 'an authority of the operator' })
  const state = await createRedisState({ url, ca: cert }, { onError })
  // One report stands for the next seconds, and is to be that of the connection.
  await eventually(() => errors.length > 0)
  expect(String(errors[0])).toMatch(/certificate|signature/)
  expect(await state.claim([{ key: 'posthorn:a', ttlMs: 1_000 }])).toEqual([null])
  await state.close()
})

async function wrongOf(access: RedisAccess, now = Date.now): Promise<string> {
  const findings = await diagnoseRedis(access, now)
  return findings
    .filter(({ level }) => level === 'wrong')
    .map(({ text }) => text)
    .join('\n')
}

test('what is wrong with it is said in words', async () => {
  const ca = authority.cert
  const access = { url, ca, prefix: 'posthorn:' }
  expect(await wrongOf(access)).toBe('')
  const wrongPassword = { ...access, url: url.replace(/:p[^@]*@/, ':wrong@') }
  expect(await wrongOf(wrongPassword)).toContain('it refuses the user or password')
  const other = makeCertificate({ name: 'an authority of the operator' })
  const wrongCa = { ...access, ca: other.cert }
  expect(await wrongOf(wrongCa)).toContain('an authority that is not trusted here')
  // Keys that the user has no right to.
  expect(await wrongOf({ url, ca })).toContain('the ACL user lacks a right')
  const nobody = { url: `redis://127.0.0.1:${await freePort()}` }
  expect(await wrongOf(nobody)).toContain('nobody listens')
  expect(await wrongOf({ url: 'redis://a,b' })).toContain('names several hosts')
  expect(await wrongOf(access, () => Date.now() + 60_000)).toContain('its clock is 60')
})
