import { spawnSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import { HEAP_FLAGS } from '../../scripts/heap.mjs'
import { codeOf, importsOf, isCode, isTest, readFiles, type SourceFile } from './source-files.ts'

const files = readFiles()
const code = files.filter(isCode)
const product = code.filter(
  (file) => /^(libs|services)\/[^/]+\/src\//.test(file.path) && !isTest(file),
)

/** Fails with every place and with what to do there. */
function expectNone(places: readonly string[], fix: string): void {
  if (places.length > 0) throw new Error(`${places.join('\n')}\n\nTo fix it: ${fix}`)
}

/** `path:line` of every match outside comments and strings. */
function places(from: readonly SourceFile[], pattern: RegExp): string[] {
  return from.flatMap(({ path, text }) =>
    codeOf(text)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  )
}

test('the rules see the repository', () => {
  expect(product.length).toBeGreaterThan(10)
  const text =
    "import a from 'x'\nexport { b } from './y.ts'\nimport './z'\nawait import('w') // from 'v'"
  expect(importsOf(text).sort()).toEqual(['./y.ts', './z', 'w', 'x'])
  expect(codeOf("call('http://x') // call(2)\n/* call(3) */")).toBe("call('') \n")
})

describe('imports', () => {
  const bottom = ['domain', 'async']
  const middle = ['store', 'bus', 'state', 'egress', 'sandbox', 'http', 'runtime', 'json-schema']
  const belowMiddle = [...bottom, 'contracts']
  const belowBoot = [...belowMiddle, ...middle, 'inbound']
  const allowed: Record<string, readonly string[]> = {
    ...Object.fromEntries(bottom.map((name) => [`libs/${name}`, []])),
    'libs/contracts': bottom,
    ...Object.fromEntries(middle.map((name) => [`libs/${name}`, belowMiddle])),
    'libs/inbound': [...belowMiddle, ...middle],
    // What the composition roots have in common: it opens the clients, so it knows them all.
    'libs/boot': belowBoot,
    // Starts stores on a developer's machine; the embedded Postgres is the product's own.
    'libs/local-stores': [...belowMiddle, 'runtime'],
  }
  const libs = [...belowBoot, 'boot']
  const localStores = code.filter(
    ({ path }) => path.startsWith('libs/local-stores/') && !path.endsWith('.test.ts'),
  )

  function packageOf(path: string): string {
    return path.split('/').slice(0, 2).join('/')
  }

  test('go from services to libraries and never sideways', () => {
    const wrong = [...product, ...localStores].flatMap(({ path, text }) => {
      const from = packageOf(path)
      if (from === 'services/standalone') return []
      const may = allowed[from] ?? [...libs, from.split('/')[1] ?? '']
      return importsOf(text)
        .map((specifier) => /^@posthorn\/([^/]+)/.exec(specifier)?.[1])
        .filter((name) => name !== undefined && !may.includes(name))
        .map(
          (name) =>
            `${path}: imports @posthorn/${name}; ${from} may use ${may.join(', ') || 'none'}`,
        )
    })
    expectNone(
      wrong,
      `{${bottom.join(', ')}} <- contracts <- {${middle.join(', ')}} <- inbound <- boot <- services. ` +
        'Move what both need down a layer, or pass it in as a function (deps of createX).',
    )
  })

  test('stay inside their package when they are relative', () => {
    const wrong = code
      .filter(({ path }) => /^(libs|services)\//.test(path))
      .flatMap(({ path, text }) =>
        importsOf(text)
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => new URL(specifier, `file:///${path}`).pathname.slice(1))
          .filter((target) => packageOf(target) !== packageOf(path))
          .map((target) => `${path}: imports ${target}`),
      )
    expectNone(wrong, 'import it as @posthorn/<package>/<file>, if the layers allow it.')
  })

  test('name files with their ending, and packages without', () => {
    const wrong = code
      .filter(({ path }) => path.endsWith('.ts'))
      .flatMap(({ path, text }) =>
        importsOf(text)
          .filter((specifier) =>
            specifier.startsWith('.')
              ? !/\.(ts|mjs|js|json)$/.test(specifier)
              : /^@posthorn\/.*\.ts$/.test(specifier),
          )
          .map((specifier) => `${path}: ${specifier}`),
      )
    expectNone(
      wrong,
      "write './file.ts' inside a package and '@posthorn/<package>/<file>' outside.",
    )
  })

  test('what only tests and developers use stays out of the product', () => {
    const imports = (files: readonly SourceFile[], pattern: RegExp): string[] =>
      files
        .filter(({ text }) => importsOf(text).some((name) => pattern.test(name)))
        .map(({ path }) => path)
    const scripts = code.filter(
      ({ path }) => path.startsWith('scripts/') && !path.endsWith('.test.ts'),
    )
    const outside = [...product, ...localStores, ...scripts]
    expectNone(
      [
        ...imports(outside, /^@posthorn\/testing|^@?jest/),
        ...imports(product, /^@posthorn\/local-stores/),
      ],
      'only tests use @posthorn/testing and jest; only tests and scripts use @posthorn/local-stores.',
    )
  })

  test('the domain knows no machine', () => {
    const domain = product.filter(({ path }) => path.startsWith('libs/domain/'))
    const wrong = domain.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((name) => name.startsWith('node:') && !/^node:(crypto|zlib)$/.test(name))
        .map((name) => `${path}: imports ${name}`),
    )
    expectNone(
      wrong,
      'libs/domain decides; what it needs from files, network or clock is an argument.',
    )
  })
})

describe('the way out', () => {
  /** Opens connections to our own stores, which tenants can't name. */
  const toStores = ['libs/bus/src/kafka-sockets.ts']
  const elsewhere = product.filter(
    ({ path }) =>
      !path.startsWith('libs/egress/') &&
      !path.startsWith('libs/testing/') &&
      !path.endsWith('/test-portal.ts') &&
      !toStores.includes(path),
  )
  /** Of Node's modules for networks, what reaches nobody: servers, words, judging texts. */
  const harmless: Readonly<Record<string, readonly string[]>> = {
    'node:http': ['createServer', 'STATUS_CODES'],
    'node:https': ['createServer'],
    'node:net': ['createServer', 'isIP', 'isIPv4', 'isIPv6', 'BlockList'],
    'node:tls': ['createSecureContext', 'rootCertificates'],
    'node:http2': [],
    'node:dgram': [],
    'node:dns': [],
    'node:dns/promises': [],
  }
  const clients =
    /^(undici|got|axios|ws|node-fetch|cross-fetch|superagent|request|ky|needle|phin)(\/|$)/

  /** What a file takes from modules for networks beyond the harmless. */
  function reachesOut({ path, text }: SourceFile): string[] {
    const statements = text.matchAll(/\bimport\s+(type\s+)?([^'"]*?)\s*from\s*'([^']+)'/g)
    const taken = [...statements].flatMap(([, isType, names = '', module = '']) => {
      const known = harmless[module.replace(/^(node:)?/, 'node:')]
      if (isType !== undefined || (known === undefined && !clients.test(module))) return []
      const values = names
        .replaceAll(/[{}\n]/g, ' ')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => name.split(/\s+as\s+/)[0] as string)
      return values
        .filter((name) => known?.includes(name) !== true)
        .map((name) => `${name} of ${module}`)
    })
    const dynamic = importsOf(text).filter(
      (module) => clients.test(module) && !text.includes(`from '${module}'`),
    )
    return [...taken, ...dynamic].map((what) => `${path}: takes ${what}`)
  }

  test('the rule sees what reaches out, and not what listens', () => {
    const seen = (text: string) => reachesOut({ path: 'x.ts', text }).length
    expect(seen("import { createServer, type Socket } from 'node:net'")).toBe(0)
    expect(seen("import type { Agent } from 'node:http'")).toBe(0)
    expect(seen("import { connect } from 'node:tls'")).toBe(1)
    expect(seen("import http, { STATUS_CODES } from 'http'")).toBe(1)
    expect(seen("import * as net from 'node:net'")).toBe(1)
    expect(seen("import {\n  request,\n  createServer,\n} from 'node:https'")).toBe(1)
    expect(seen("import { Pool } from 'undici'")).toBe(1)
    expect(seen("const { request } = await import('undici')")).toBe(1)
  })

  test('is libs/egress alone', () => {
    expectNone(
      [
        ...elsewhere.flatMap(reachesOut),
        ...places(elsewhere, /(?<![.\w])(globalThis\.)?fetch\(\s*[^)\s:]+\s*[,)](?!.*:\s*Promise)/),
        ...places(elsewhere, /\bnew (WebSocket|EventSource|XMLHttpRequest)\(/),
      ],
      'send it through createEgress (libs/egress), which judges every address before it connects.',
    )
  })
})

describe('calls', () => {
  test('the environment is read where a process is composed', () => {
    const wrong = product.filter(
      ({ path }) => !/\/(main|config|cluster)\.ts$/.test(path) && !isSupervisor(path),
    )
    expectNone(
      places(wrong, /\bprocess\.env\b/),
      'read it in config.ts with a default, a unit and a sentence, and pass the value on.',
    )
  })

  /** Postgres's own environment is made from this process's PATH, which is no setting. */
  function isSupervisor(path: string): boolean {
    return /^libs\/runtime\/src\/(postmaster|embedded-postgres)/.test(path)
  }

  test('only a composition root ends the process', () => {
    const wrong = product.filter(
      ({ path }) => !/\/(main|run)\.ts$/.test(path) && !path.startsWith('libs/boot/'),
    )
    expectNone(
      places(wrong, /\bprocess\.exit\(/),
      'throw, or set process.exitCode; main.ts, libs/boot and libs/runtime/src/run.ts stop in order.',
    )
  })

  test('deciding takes time and chance as arguments', () => {
    const domain = product.filter(
      ({ path }) => path.startsWith('libs/domain/') && !path.endsWith('/ids.ts'),
    )
    expectNone(
      places(domain, /\bDate\.now\(|\bnew Date\(\s*\)|\bMath\.random\(|\bset(Timeout|Interval)\(/),
      'make `now` or `random` an argument; the caller in a service gives it.',
    )
  })

  test('nothing is skipped, focused, mocked or slept for', () => {
    const tests = code.filter((file) => file.path.endsWith('.test.ts'))
    expectNone(
      [
        ...places(
          tests,
          /\b(test|it|describe)\.(skip|only|todo|failing)\b|\bx(it|test|describe)\(/,
        ),
        ...places(tests, /\bjest\.(mock|unstable_mockModule|useFakeTimers|retryTimes)\(/),
        ...places(tests, /\bawait (sleep|delay|pause|wait)\(\s*[\d_]/),
        ...places(tests, /\bnew Promise\([^)]*\)?\s*=>\s*setTimeout\(\w+,/),
      ],
      'run it or remove it; give doubles as deps of createX; wait with eventually() from libs/testing.',
    )
  })

  test('every test expects something', () => {
    const silent = code
      .filter((file) => file.path.endsWith('.test.ts'))
      .filter(({ text }) => !/\bexpect|fc\.assert|Conformance\(/.test(text))
      .map(({ path }) => path)
    expectNone(silent, 'a test that cannot fail is none: say with expect() what must hold.')
  })

  test('code is not made from text, nor equality from JSON', () => {
    expectNone(
      [
        ...places(product, /\beval\(|\bnew Function\(/),
        ...places(product, /JSON\.parse\(JSON\.stringify\(/),
      ],
      'use a closure for the one and structuredClone() for the other.',
    )
  })
})

describe('shape', () => {
  test('classes stand only where a library demands one', () => {
    expectNone(
      places(product, /^\s*(export\s+)?(default\s+)?(abstract\s+)?class\s+\w+\s*(<[^>]*>)?\s*\{/),
      'write createX(config, deps) that returns a function or a small record of functions.',
    )
  })

  test('nothing is named after what it is not', () => {
    const words = /(^|\/)(utils?|helpers?|common|shared|misc|index|types)(\.[a-z]+)*\.(ts|mjs|js)$/
    const folders = /(^|\/)(utils?|helpers?|common|shared|misc)\//
    const wrong = code
      .map(({ path }) => path)
      .filter((path) => !path.includes('/public/'))
      .filter((path) => words.test(path) || folders.test(path))
    expectNone(
      wrong,
      'name the file by the one thing it does; put each part where it is used. No barrels.',
    )
  })

  test('every module begins by saying why it exists', () => {
    const wrong = product
      .filter(({ path, text }) => path.endsWith('.ts') && !/^(#!.*\n)?\s*(\/\*\*|\/\/)/.test(text))
      .map(({ path }) => path)
    expectNone(wrong, 'begin with a comment: why it exists and what it does not guarantee.')
  })

  test('types are erased, not compiled', () => {
    expectNone(
      places(
        product,
        /^\s*(export\s+)?(declare\s+)?(const\s+)?enum\s+\w+|^\s*(export\s+)?namespace\s+\w+/,
      ),
      'use a union of strings, or a record `as const`: Node runs these files as they are.',
    )
  })
})

test('services run with one set of flags for V8, whoever starts them', () => {
  const starters = ['scripts/start.mjs', 'scripts/cluster.mjs', 'scripts/cluster/supervisor.ts']
  const without = starters.filter(
    (path) => !files.some((file) => file.path === path && file.text.includes('HEAP_FLAGS')),
  )
  const start = `node ${HEAP_FLAGS.join(' ')} src/main.ts`
  const others = files
    .filter(({ path }) => /^services\/[^/]+\/package\.json$/.test(path))
    .filter(({ text }) => {
      const { scripts } = JSON.parse(text) as { scripts?: { start?: string } }
      return scripts?.start !== start
    })
    .map(({ path }) => path)
  expectNone([...without, ...others], `start it with the flags of scripts/heap.mjs: ${start}`)
  const { status } = spawnSync(process.execPath, [...HEAP_FLAGS, '--eval', ''])
  expect(status).toBe(0)
})

describe('words', () => {
  // Written in parts, so that this file does not hold what it looks for.
  const machinePaths = new RegExp(
    [`(?<![\\w.)-])/${'work'}/`, `/${'farm'}/`, `/tmp/${'bash_jobs'}`].join('|'),
  )
  const registries = new RegExp(
    [
      'registry\\.npmjs',
      'registry\\.yarnpkg',
      'npmmirror',
      'files\\.pythonhosted',
      'repo1?\\.maven',
      'proxy\\.golang',
    ]
      .map((name) => `${name}\\.[a-z]`)
      .join('|'),
  )

  function lines(from: readonly SourceFile[], pattern: RegExp): string[] {
    return from.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) =>
          pattern.test(line) ? [`${path}:${at + 1}: ${line.trim().slice(0, 160)}`] : [],
        ),
    )
  }

  test('no path of somebody’s machine is written down', () => {
    expectNone(
      lines(files, machinePaths),
      'make it relative to the file (import.meta.url) or a setting.',
    )
  })

  test('no registry is written down: whoever installs has theirs', () => {
    // The one download without a client that knows its registry: Kafka where Maven is lacking.
    const wrong = files.filter(({ path }) => path !== 'libs/local-stores/src/kafka-jars.ts')
    expectNone(
      lines(wrong, registries),
      'remove it; for the lock file: npx -y pnpm@12.21.0 install with omit-lockfile-registry-resolved.',
    )
  })

  test('nothing is left to be done', () => {
    const marks = new RegExp(`\\b(${'TO'}DO|${'FIX'}ME|${'X'}XX)\\b|not ${'implemented'}`)
    expectNone(lines(code, marks), 'do it, or take the claim out.')
  })

  test('every version is exact', () => {
    const wrong = files
      .filter(({ path }) => /(^|\/)package\.json$/.test(path))
      .flatMap(({ path, text }) => {
        const { dependencies, devDependencies, optionalDependencies } = JSON.parse(text) as Record<
          string,
          Record<string, string> | undefined
        >
        return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
          .filter(([, version]) => !/^(workspace:\*|\d+\.\d+\.\d+(-[\w.]+)?)$/.test(version))
          .map(([name, version]) => `${path}: ${name} ${version}`)
      })
    expectNone(
      wrong,
      'write one version, without ^ or ~: an install must bring the same every time.',
    )
  })

  test('the packages of Prisma are of one version', () => {
    const versions = files
      .filter(({ path }) => /(^|\/)package\.json$/.test(path))
      .flatMap(({ text }) => [
        ...text.matchAll(/"(?:prisma|@prisma\/(?:client|adapter-pg))": "([^"]+)"/g),
      ])
      .map(([, version]) => version)
    expect(new Set(versions).size).toBe(1)
  })

  test('no tool leaves its cache in the repository', () => {
    const caches = /(^|\/)(\.schemathesis|\.hypothesis|\.pytest_cache|__pycache__|\.swc|\.turbo)\//
    expectNone(
      files.map(({ path }) => path).filter((path) => caches.test(path)),
      'run the tool in a temporary folder, or have it keep its cache under node_modules/.cache.',
    )
  })
})
