import { afterAll, expect, test } from '@jest/globals'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@posthorn/testing/eventually'
import { openSso } from './sso.ts'

const sso = openSso({ EGRESS_ALLOW_CIDRS: ['127.0.0.0/8'], REQUIRE_HTTPS: false })
let hanging = 0
const provider = createServer((request, response) => {
  if (request.url === '/hangs') hanging += 1
  else response.end('{}')
})
afterAll(async () => {
  await sso.close()
  provider.closeAllConnections()
  provider.close()
})

test("a workspace's provider that hangs keeps no other workspace's people from signing in", async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const { port } = provider.address() as AddressInfo
  const ask = (owner: string, path: string, timeoutMs: number) =>
    sso.send({ url: `http://127.0.0.1:${port}${path}`, headers: {}, body: '', owner, timeoutMs })
  const flood = Array.from({ length: 300 }, () =>
    ask('one', '/hangs', 60_000).catch((error: unknown) => error),
  )
  await eventually(() => hanging === 32)
  expect(await ask('another', '/', 2_000)).toMatchObject({ statusCode: 200 })
  const refused = await Promise.race(flood)
  expect(String(refused)).toContain('too many requests to this identity provider')
  expect(hanging).toBe(32)
})
