import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { startLoopTime } from '@posthorn/testing/loop-time'
import {
  A,
  AAAA,
  type NameAnswer,
  type NameServer,
  NXDOMAIN,
  SERVFAIL,
  startNameServer,
  TXT,
} from './name-server.fixture.ts'
import { createNameResolver, type NameResolver } from './resolve-name.ts'

const v4 = Buffer.from([1, 2, 3, 4])
const v6 = Buffer.from('20010db8000000000000000000000001', 'hex')

/** The name server's answers, by name; the first label of a question decides. */
const zone: Record<string, { [A]: NameAnswer; [AAAA]: NameAnswer }> = {
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
let resolver: NameResolver
let server: NameServer
beforeAll(async () => {
  server = await startNameServer((name, type) => {
    const label = name.split('.', 1)[0] as string
    questions.push(`${label} ${type === A ? 'A' : 'AAAA'}`)
    return (type === TXT ? undefined : zone[label]?.[type]) ?? { code: NXDOMAIN }
  })
  resolver = createNameResolver([server.address])
})
beforeEach(() => {
  questions.length = 0
})
afterAll(async () => {
  resolver.close()
  await server.close()
})

describe('a name', () => {
  test.each([
    ['both', ['1.2.3.4', '1.2.3.4', '2001:db8::1']],
    ['four', ['1.2.3.4']],
    ['six', ['2001:db8::1']],
    ['half', ['1.2.3.4']],
    ['broken', ['1.2.3.4']],
  ])('%s has %j', async (label, addresses) => {
    expect(await resolver.lookup(`${label}.example`, 'tenant')).toEqual(addresses)
  })

  test('is waited for no longer when one family is silent', async () => {
    const elapsedMs = startLoopTime()
    await resolver.lookup('half.example', 'tenant')
    expect(elapsedMs()).toBeLessThan(1000)
  })

  test.each([
    ['fail', 'ESERVFAIL'],
    ['mixed', 'ESERVFAIL'],
    ['none', 'ENOTFOUND'],
  ])('%s fails with %s', async (label, code) => {
    // `.invalid`: names that the hosts file is asked for must not exist there.
    await expect(resolver.lookup(`${label}.invalid`, 'tenant')).rejects.toMatchObject({ code })
  })

  test('is asked anew each time, and once for those that ask together', async () => {
    const name = 'both.example'
    await Promise.all([resolver.lookup(name, 'tenant'), resolver.lookup(name, 'tenant')])
    // An earlier test's name, which one family left unanswered, may be asked for once more
    // meanwhile.
    const own = () => questions.filter((question) => question.startsWith('both ')).sort()
    expect(own()).toEqual(['both A', 'both AAAA'])
    await resolver.lookup(name, 'tenant')
    expect(own()).toHaveLength(4)
  })
})

test('names that are never answered hold up no other', async () => {
  const silent = Array.from({ length: 50 }, (_, n) =>
    resolver.lookup(`hang.n${n}.example`, 'tenant'),
  )
  const ended = Promise.allSettled(silent)
  const elapsedMs = startLoopTime()
  expect(await resolver.lookup('four.example', 'tenant')).toEqual(['1.2.3.4'])
  expect(await resolver.lookup('localhost', 'tenant')).toContain('127.0.0.1')
  expect(elapsedMs()).toBeLessThan(1000)
  resolver.close()
  expect((await ended).every(({ status }) => status === 'rejected')).toBe(true)
})

test('two owners’ names that the system never answers hold up no third owner’s', async () => {
  const stuck = Promise.withResolvers<readonly string[]>()
  const asked: string[] = []
  const beside = createNameResolver([server.address], async (hostname) => {
    asked.push(hostname)
    return hostname.endsWith('.slow') ? stuck.promise : ['127.0.0.9']
  })
  // The names' zones say that they do not exist, and then nothing more.
  const slow = Array.from({ length: 20 }, (_, n) =>
    beside.lookup(`none.n${n}.slow`, `slow ${n % 2}`),
  )
  const quick = Array.from({ length: 20 }, (_, n) => beside.lookup(`none.n${n}.quick`, `q${n % 4}`))
  expect(await Promise.all(quick)).toHaveLength(20)
  expect(await beside.lookup('none.n0.slow.quick', 'q0')).toEqual(['127.0.0.9'])
  expect(asked.filter((name) => name.endsWith('.slow'))).toHaveLength(2)
  stuck.resolve(['127.0.0.1'])
  expect(await Promise.all(slow)).toHaveLength(20)
  beside.close()
})

test('a name that one owner waits for is asked for another at once', async () => {
  const stuck = Promise.withResolvers<readonly string[]>()
  const answers = [stuck.promise, Promise.resolve(['127.0.0.9'])]
  const beside = createNameResolver([server.address], async () => (await answers.shift()) ?? [])
  const first = beside.lookup('none.same.example', 'slow')
  expect(await beside.lookup('none.same.example', 'other')).toEqual(['127.0.0.9'])
  stuck.resolve(['127.0.0.1'])
  expect(await first).toEqual(['127.0.0.1'])
  beside.close()
})
