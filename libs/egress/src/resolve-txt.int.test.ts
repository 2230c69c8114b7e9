import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type NameServer, NXDOMAIN, startNameServer, TXT } from './name-server.fixture.ts'
import { createTxtResolver, type TxtResolver } from './resolve-txt.ts'

function txt(...strings: string[]): Buffer {
  return Buffer.concat(
    strings.map((text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])),
  )
}

let server: NameServer
let resolver: TxtResolver
beforeAll(async () => {
  server = await startNameServer((name, type) => {
    if (name !== 'd.example' || type !== TXT) return { code: NXDOMAIN }
    return { addresses: [txt('v=spf1 -all'), txt('one', 'two')] }
  })
  resolver = createTxtResolver([server.address])
})
afterAll(async () => {
  resolver.close()
  await server.close()
})

test('all records are read, each with its strings', async () => {
  const records = await resolver.resolveTxt('d.example')
  expect(records).toHaveLength(2)
  expect(records).toEqual(expect.arrayContaining([['v=spf1 -all'], ['one', 'two']]))
})

test('a name without any is an error', async () => {
  await expect(resolver.resolveTxt('none.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})
