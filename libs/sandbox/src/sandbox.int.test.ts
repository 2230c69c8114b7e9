/** Scripts on real threads, most of them hostile. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createSandbox, type RunResult, type Sandbox, type TransformEvent } from './sandbox.ts'

const CONFIG = { brand: 'Service', maxPayloadBytes: 256 * 1024, workers: 1 }
const EVENT: TransformEvent = {
  id: 'e-1',
  eventType: 'order.paid',
  payload: '{"n":1.0,"s":"ü"}',
  headers: { 'X-A': '1' },
  createdAt: '2026-01-02T03:04:05.000Z',
}
const GOOD = 'function transform(event) { return { payload: { ok: event.payload.n } } }'
const STUCK = 'function transform() { [].indexOf.call({ length: 2 ** 53 - 1 }, 1) }'

let sandbox: Sandbox
let replaced: string[]
beforeAll(() => {
  replaced = []
  sandbox = createSandbox(CONFIG, { onReplaced: (reason) => replaced.push(reason) })
})
afterAll(async () => await sandbox.close())

/** A script whose transform has this body. */
async function body(code: string, event = EVENT): Promise<RunResult> {
  return await run(`function transform(event) { ${code} }`, event)
}

async function run(
  script: string,
  event = EVENT,
  key: string | null = null,
  tenantId = 't',
): Promise<RunResult> {
  return await sandbox.run({ tenantId, key, script, event })
}

function returns(payload: unknown): RunResult {
  return { outcome: 'ok', result: { payload: JSON.stringify(payload), headers: null } }
}

function fails(detail: string | RegExp): RunResult {
  return { outcome: 'error', detail: expect.stringMatching(detail) as unknown as string }
}

describe('a script', () => {
  test('gets the event and gives back a payload and headers', async () => {
    const all = await body('return { payload: { ...event } }')
    const { payload: _, headers, ...rest } = EVENT
    expect(all).toEqual(returns({ ...rest, headers, payload: { n: 1, s: 'ü' } }))
    expect(await body('return { headers: { "X-B": event.headers["X-A"] + 1 } }')).toEqual({
      outcome: 'ok',
      result: { payload: null, headers: { 'X-B': '11' } },
    })
    const none = { ...EVENT, headers: null }
    expect(await body('return { payload: { h: event.headers } }', none)).toEqual(returns({ h: {} }))
  })

  test('leaves the payload to the byte when it changes nothing, and drops with null', async () => {
    const same = { outcome: 'ok', result: { payload: null, headers: null } }
    expect(await body('return { payload: event.payload }')).toEqual(same)
    expect(await body('return null')).toEqual({ outcome: 'ok', result: null })
  })

  test('may define transform in any way', async () => {
    for (const head of [
      'var transform =',
      'const transform =',
      'globalThis.transform =',
      'let transform =',
    ])
      expect(await run(`${head} () => null`)).toEqual({ outcome: 'ok', result: null })
  })

  test('has the language and nothing of ours', async () => {
    const names = [
      'process',
      'require',
      'fetch',
      'setTimeout',
      'console',
      'WebAssembly',
      'std',
      'os',
    ]
    const listed = await body(
      `return { payload: { there: ${JSON.stringify(names)}.filter((name) => name in globalThis) } }`,
    )
    expect(listed).toEqual(returns({ there: [] }))
    expect(await body('return { payload: { now: Date.now() > 1.7e12 } }')).toEqual(
      returns({ now: true }),
    )
    expect(await body('return import("fs")')).toEqual(fails('promise'))
  })

  test('is judged when it is saved', async () => {
    expect(await sandbox.compile('t', GOOD)).toEqual({ outcome: 'ok' })
    const invalid = async (script: string): Promise<string> => {
      const compiled = await sandbox.compile('t', script)
      return compiled.outcome === 'invalid' ? compiled.reason : compiled.outcome
    }
    expect(await invalid('function transform(')).toMatch(/^SyntaxError: .* \(line 1\)$/)
    expect(await invalid('\n\nlet a = b')).toBe("ReferenceError: 'b' is not defined (line 3)")
    expect(await invalid('')).toBe('it must define function transform(event)')
    expect(await invalid('const transform = 5')).toBe('it must define function transform(event)')
    expect(await invalid('for (;;) {}')).toBe('it ran for more than 100 ms')
    expect(await invalid('throw { get message() { for (;;); } }')).toBe(
      'it ran for more than 100 ms',
    )
  })
})

describe('what a script returns', () => {
  test.each([
    ['', 'transform returned undefined; it must return'],
    ['return "x"', 'transform returned string'],
    ['return [1]', 'transform returned an array'],
    ['return Promise.resolve({})', 'a promise; it must not be async'],
    ['return { url: "https://other.example" }', 'a url'],
    ['return event', 'a field "id"'],
    ['return { payload: "text" }', 'payload must be an object or an array'],
    ['return { payload: { a: 1n } }', 'TypeError'],
    ['const a = {}; a.a = a; return { payload: a }', 'TypeError: circular reference'],
    ['return { toJSON() { return { url: 1 } } }', 'a url'],
    ['return { payload: { a: "x".repeat(262_144) } }', 'payload is larger than 262144 bytes'],
    ['return { payload: { a: "é".repeat(150_000) } }', 'payload is larger than 262144 bytes'],
    ['return { payload: { a: "x".repeat(5e6) } }', 'larger than 262144 bytes'],
    [
      'return { headers: { "X-Service-Signature": "mine" } }',
      'headers.X-Service-Signature is reserved',
    ],
    ['return { headers: { "Host": "a" } }', 'headers.Host is reserved'],
    ['return { headers: { "X-A": "a\\r\\nX-B: b" } }', 'headers.X-A must have a value of visible'],
    ['return { headers: { "X-A": 1 } }', 'headers.X-A .*string'],
    ['return { headers: { "X-A": "1", "x-a": "2" } }', 'headers.x-a is given twice'],
    ['return { headers: { "X-A": "a".repeat(9_000) } }', 'headers must be at most 8192 bytes'],
  ])('is refused: %s', async (code, detail) => {
    expect(await body(code)).toEqual(fails(detail))
  })

  test('is what it is, whatever the script did to the language', async () => {
    const script = `
      JSON.stringify = () => '{"url":"x"}'
      JSON.parse = () => ({})
      Array.isArray = () => true
      Object.prototype.toJSON = undefined
      String.prototype.startsWith = () => true
      ${GOOD}`
    expect(await run(script)).toEqual(returns({ ok: 1 }))
  })

  test('or throws is told in a line of bounded length', async () => {
    expect(await body('\n\nevent.payload.a.b')).toEqual(
      fails(/^TypeError: cannot read property 'b' of undefined \(line 3\)$/),
    )
    expect(await body('throw "why"')).toEqual(fails('why was thrown'))
    expect(await body('throw null')).toEqual(fails('was thrown'))
    expect(await body('throw { get name() { throw 1 } }')).toEqual(fails('no Error was thrown'))
    const long = await body('throw new Error("x".repeat(5e6))')
    expect(long.outcome === 'error' && long.detail.length <= 500).toBe(true)
  })
})

describe('a script that means harm', () => {
  const memory = 'it used more than 16 MiB of memory'
  const time = 'it ran for more than 100 ms'

  test.each([
    ['strings', 'const a = []; for (;;) a.push("x".repeat(1e5) + a.length)', memory],
    ['typed arrays', 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))', memory],
    ['lists of objects', 'const a = []; for (;;) a.push(Array(1e5).fill({ a }))', memory],
    // A slow processor makes 100 ms worth of them before they are 16 MiB.
    ['objects', 'const a = []; for (;;) a.push({ a, b: [1, 2, 3] })', `${memory}|${time}`],
    ['one large piece', 'new ArrayBuffer(17 * 1024 * 1024)', memory],
    ['a loop', 'for (;;);', time],
    ['a loop that catches', 'for (;;) try { for (;;); } catch {}', time],
    ['a loop in a getter', 'return { get payload() { for (;;); } }', time],
    ['a regular expression', 'return /^(a+)+$/.test("a".repeat(40) + "b") ? null : {}', time],
    ['recursion', 'const f = () => f() + 1; f()', 'stack overflow'],
    ['deep JSON', 'JSON.parse("[".repeat(1e5))', 'stack overflow|SyntaxError'],
    ['deep regular expressions', 'new RegExp("(".repeat(1e5))', 'stack overflow|SyntaxError'],
  ])('is stopped: %s', async (_, code, detail) => {
    expect(await body(code)).toEqual(fails(detail))
    expect(await body('return null')).toEqual({ outcome: 'ok', result: null })
    expect(replaced).toEqual([])
  })

  test('keeps no memory that others could lack, whatever it catches', async () => {
    const bomb = `const a = []
      for (;;) try { for (;;) a.push(new Uint8Array(1e5).fill(1)) } catch { try { a.push({}) } catch {} }`
    const before = process.memoryUsage().rss
    for (let n = 0; n < 12; n += 1) expect(await body(bomb)).toEqual(fails(memory))
    // Twelve of them at once would be 190 MiB.
    expect(process.memoryUsage().rss - before).toBeLessThan(120 * 1024 * 1024)
  })

  test('is loaded afresh when it has piled up too much, and its call made again', async () => {
    const leak = `const kept = []
      function transform(event) { kept.push(new Uint8Array(1e6).fill(1)); return { payload: { n: kept.length } } }`
    const counts: number[] = []
    for (let n = 0; n < 40; n += 1) {
      const ran = await run(leak, EVENT, 'leak')
      if (ran.outcome !== 'ok') throw new Error(ran.detail)
      counts.push(JSON.parse(ran.result?.payload ?? '').n)
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(16)
    expect(counts.filter((count) => count === 1).length).toBeGreaterThan(1)
  })

  test('and stays in a built-in function costs its thread and itself, not those behind it', async () => {
    replaced.length = 0
    const others = Array.from({ length: 20 }, (_, n) => run(GOOD, EVENT, `good-${n}`))
    const bad = run(STUCK, EVENT, 'stuck', 'hostile')
    const behind = Array.from({ length: 20 }, (_, n) => run(GOOD, EVENT, `behind-${n}`))
    expect(await bad).toEqual(fails('it had to be stopped'))
    for (const ran of await Promise.all([...others, ...behind]))
      expect(ran).toEqual(returns({ ok: 1 }))
    expect(replaced).toEqual(['it was stuck'])
  })
})

describe('one tenant’s script', () => {
  test('sees nothing of another’s, nor of another version', async () => {
    const write =
      'globalThis.seen = "secret"; function transform() { return { payload: { seen } } }'
    const read = 'function transform() { return { payload: { seen: typeof seen } } }'
    expect(await run(write, EVENT, 'a')).toEqual(returns({ seen: 'secret' }))
    expect(await run(read, EVENT, 'b')).toEqual(returns({ seen: 'undefined' }))
    expect(await run(write, EVENT, null)).toEqual(returns({ seen: 'secret' }))
    expect(await run(read, EVENT, null)).toEqual(returns({ seen: 'undefined' }))
  })

  test('keeps nobody waiting when it is slow: not the others, and not this thread', async () => {
    const loop = 'function transform() { for (;;); }'
    expect(await run(loop, EVENT, 'loop', 'hostile')).toEqual(fails('100 ms'))
    expect(await run(GOOD, EVENT, 'quick')).toEqual(returns({ ok: 1 }))
    const loops = Array.from({ length: 10 }, () => run(loop, EVENT, 'loop', 'hostile'))
    const before = performance.eventLoopUtilization()
    const startedAt = performance.now()
    for (let n = 0; n < 20; n += 1)
      expect(await run(GOOD, EVENT, 'quick')).toEqual(returns({ ok: 1 }))
    const quickMs = performance.now() - startedAt
    const ended = await Promise.all(loops)
    const loopsMs = performance.now() - startedAt
    for (const one of ended) expect(one).toEqual(fails('100 ms'))
    expect(loopsMs).toBeGreaterThan(900)
    expect(quickMs).toBeLessThan(loopsMs / 2)
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.8)
  })

  test('that loops gives way after its first call in a batch', async () => {
    const loop = 'function transform() { for (;;); }'
    let ended = 0
    const bad = Array.from({ length: 8 }, () =>
      run(loop, EVENT, 'batch-loop', 'looping').finally(() => {
        ended += 1
      }),
    )
    const good = await run(GOOD, EVENT, 'quick')
    expect(good).toEqual(returns({ ok: 1 }))
    expect(ended).toBeLessThan(5)
    // The rest has its turn in the careful queue.
    for (const one of await Promise.all(bad)) expect(one).toEqual(fails('100 ms'))
  })
})

test('a sandbox that is closed says so, also to those who wait', async () => {
  const closing = createSandbox(CONFIG, { onReplaced: () => {} })
  const waiting = closing.run({ tenantId: 't', key: 'a', script: GOOD, event: EVENT })
  await closing.close()
  const unavailable = { outcome: 'unavailable', detail: 'the sandbox is closed' }
  expect(await waiting).toEqual(unavailable)
  expect(await closing.run({ tenantId: 't', key: 'a', script: GOOD, event: EVENT })).toEqual(
    unavailable,
  )
  expect(await closing.compile('t', GOOD)).toMatchObject({ outcome: 'unavailable' })
})

describe('an event that came in from a platform', () => {
  const MIB = 1024 * 1024
  const large = { ...EVENT, payload: JSON.stringify({ text: 'x'.repeat(MIB - 20) }) }
  const told = { ...EVENT, headers: { 'X-Inbound-GitHub-Event': 'push' } }
  const grow = 'return { payload: { a: "x".repeat(1_000_000) } }'

  test('may be as large as its body, and so may what becomes of it', async () => {
    const same = { outcome: 'ok', result: { payload: null, headers: null } }
    expect(await body('return { payload: event.payload }', large)).toEqual(same)
    expect(await body('return { payload: { n: event.payload.text.length } }', large)).toEqual(
      returns({ n: MIB - 20 }),
    )
    expect(await body(grow, large)).toMatchObject({ outcome: 'ok' })
    expect(await body(grow, told)).toMatchObject({ outcome: 'ok' })
    const request = { tenantId: 't', key: null, event: EVENT }
    const script = `function transform() { ${grow} }`
    expect(await sandbox.run({ ...request, script, isInbound: true })).toMatchObject({
      outcome: 'ok',
    })
    expect(await sandbox.run({ ...request, script })).toEqual(fails('larger than 262144 bytes'))
  })

  test('has its limit, too; one that was wrapped may be given back as it is', async () => {
    const more = 'return { payload: { a: event.payload, b: "x".repeat(1_000) } }'
    expect(await body(more, large)).toEqual(fails('payload is larger than 1048576 bytes'))
    const wrapped = { ...EVENT, payload: `{"data":["${'x'.repeat(MIB)}"]}` }
    const same = { outcome: 'ok', result: { payload: null, headers: null } }
    expect(await body('return { payload: event.payload }', wrapped)).toEqual(same)
  })

  test('many large ones at once leave the thread alive', async () => {
    const before = replaced.length
    const script =
      'function transform({ payload }) { return { payload: { n: payload.text.length } } }'
    const all = Array.from({ length: 40 }, () => run(script, large, 'large'))
    expect(new Set((await Promise.all(all)).map(({ outcome }) => outcome))).toEqual(new Set(['ok']))
    expect(replaced).toHaveLength(before)
  })
})
