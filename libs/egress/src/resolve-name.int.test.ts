import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createNameResolver, type NameResolver } from './resolve-name.ts'

const A = 1
const AAAA = 28
const SERVFAIL = 2
const NXDOMAIN = 3

type Answer = { addresses: Buffer[] } | { code: number } | 'silence'

const v4 = Buffer.from([1, 2, 3, 4])
const v6 = Buffer.from('20010db8000000000000000000000001', 'hex')

/** What the name server knows, by name; the first label of a question decides. */
const zone: Record<string, { [A]: Answer; [AAAA]: Answer }> = {
  both: { [A]: { addresses: [v4, v4] }, [AAAA]: { addresses: [v6] } },
  four: { [A]: { addresses: [v4] }, [AAAA]: { addresses: [] } },
  six: { [A]: { addresses: [] }, [AAAA]: { addresses: [v6] } },
  half: { [A]: { addresses: [v4] }, [AAAA]: 'silence' },
  broken: { [A]: { addresses: [v4] }, [AAAA]: { code: SERVFAIL } },
  fail: { [A]: { code: SERVFAIL }, [AAAA]: { code: SERVFAIL } },
  mixed: { [A]: { code: NXDOMAIN }, [AAAA]: { code: SERVFAIL } },
  none: { [A]: { code: NXDOMAIN }, [AAAA]: { code: NXDOMAIN } },
  hang: { [A]: 'silence', [AAAA]: 'silence' },
}

const questions: string[] = []
const server = createSocket('udp4', (query, from) => {
  const nameEnd = query.indexOf(0, 12)
  const label = query.toString('latin1', 13, 13 + (query[12] ?? 0)).toLowerCase()
  const type = query.readUInt16BE(nameEnd + 1) === A ? A : AAAA
  questions.push(`${label} ${type === A ? 'A' : 'AAAA'}`)
  const answer = zone[label]?.[type] ?? { code: NXDOMAIN }
  if (answer !== 'silence')
    server.send(reply(query.subarray(0, nameEnd + 5), type, answer), from.port)
})

function reply(query: Buffer, type: number, answer: Exclude<Answer, 'silence'>): Buffer {
  const head = Buffer.from(query)
  const addresses = 'code' in answer ? [] : answer.addresses
  head.writeUInt16BE(0x8180 | ('code' in answer ? answer.code : 0), 2)
  head.writeUInt16BE(addresses.length, 6)
  // No authority and no additional records.
  head.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length])
    return Buffer.concat([record, address])
  })
  return Buffer.concat([head, ...records])
}

let resolver: NameResolver
beforeAll(async () => {
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  resolver = createNameResolver([`127.0.0.1:${server.address().port}`])
})
beforeEach(() => {
  questions.length = 0
})
afterAll(() => {
  resolver.close()
  server.close()
})

describe('a name', () => {
  test.each([
    ['both', ['1.2.3.4', '1.2.3.4', '2001:db8::1']],
    ['four', ['1.2.3.4']],
    ['six', ['2001:db8::1']],
    ['half', ['1.2.3.4']],
    ['broken', ['1.2.3.4']],
  ])('%s has %j', async (label, addresses) => {
    expect(await resolver.lookup(`${label}.example`)).toEqual(addresses)
  })

  test('is waited for no longer when one family is silent', async () => {
    const startedAt = performance.now()
    await resolver.lookup('half.example')
    expect(performance.now() - startedAt).toBeLessThan(1000)
  })

  test.each([
    ['fail', 'ESERVFAIL'],
    ['mixed', 'ESERVFAIL'],
    ['none', 'ENOTFOUND'],
  ])('%s fails with %s', async (label, code) => {
    // `.invalid`: what the hosts file is asked for must not exist there.
    await expect(resolver.lookup(`${label}.invalid`)).rejects.toMatchObject({ code })
  })

  test('is asked anew each time, and once for those that ask together', async () => {
    const name = 'both.example'
    await Promise.all([resolver.lookup(name), resolver.lookup(name)])
    expect(questions.sort()).toEqual(['both A', 'both AAAA'])
    await resolver.lookup(name)
    expect(questions).toHaveLength(4)
  })
})

test('names that are never answered hold up no other', async () => {
  const silent = Array.from({ length: 50 }, (_, n) => resolver.lookup(`hang.n${n}.example`))
  const ended = Promise.allSettled(silent)
  const startedAt = performance.now()
  expect(await resolver.lookup('four.example')).toEqual(['1.2.3.4'])
  expect(await resolver.lookup('localhost')).toContain('127.0.0.1')
  expect(performance.now() - startedAt).toBeLessThan(1000)
  resolver.close()
  expect((await ended).every(({ status }) => status === 'rejected')).toBe(true)
})
