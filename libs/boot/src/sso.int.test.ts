import { afterAll, expect, test } from '@jest/globals'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@posthorn/testing/eventually'
import { openSso } from './sso.ts'

const sso = openSso({ EGRESS_ALLOW_CIDRS: ['127.0.0.0/8'], REQUIRE_HTTPS: false })
const closings: (() => void)[] = []
afterAll(async () => {
  await sso.close()
  for (const close of closings) close()
})

/** Never answers `/hangs`, and everything else at once. */
async function startProvider() {
  let hanging = 0
  const server = createServer((request, response) => {
    if (request.url === '/hangs') hanging += 1
    else response.end('{}')
  })
  closings.push(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, hanging: () => hanging }
}

function ask(owner: string | undefined, url: string, timeoutMs: number) {
  return sso.send({ url, headers: {}, body: '', owner, timeoutMs })
}

test.each([
  { whose: "a workspace's", owner: 'one', most: 32 },
  { whose: "an operator's", owner: undefined, most: 64 },
])('$whose provider that hangs leaves sockets to all others', async ({ owner, most }) => {
  const [provider, another] = [await startProvider(), await startProvider()]
  const flood = Array.from({ length: 400 }, () =>
    ask(owner, `${provider.origin}/hangs`, 60_000).catch((error: unknown) => error),
  )
  await eventually(() => provider.hanging() === most)
  for (const other of ['another', undefined]) {
    expect(await ask(other, `${another.origin}/`, 2_000)).toMatchObject({ statusCode: 200 })
  }
  const refused = await Promise.race(flood)
  expect(String(refused)).toContain('too many requests to this identity provider')
  expect(provider.hanging()).toBe(most)
})
