import { spawnSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import { HEAP_FLAGS } from '../../scripts/heap.mjs'
import { code, expectNone, files, places, product } from './broken-rules.ts'
import { codeOf, importsOf, type SourceFile } from './source-files.ts'

test('the rules see the repository', () => {
  expect(product.length).toBeGreaterThan(10)
  const text =
    "import a from 'x'\nexport { b } from './y.ts'\nimport './z'\nawait import('w') // from 'v'"
  expect(importsOf(text).sort()).toEqual(['./y.ts', './z', 'w', 'x'])
  expect(codeOf("call('http://x') // call(2)\n/* call(3) */")).toBe("call('') \n")
})

describe('imports', () => {
  const bottom = ['domain', 'async']
  const middle = [
    'store',
    'bus',
    'state',
    'egress',
    'sandbox',
    'http',
    'runtime',
    'json-schema',
    'go-template',
  ]
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
              ? !/\.(tsx?|mjs|js|json(\?\w+)?)$/.test(specifier)
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

  test('no iterator of a Map or a Set is kept', () => {
    expectNone(
      places(product, /(^|\s)(let|const)?\s*\w+ = (?!Object)[\w.]+\.(keys|values|entries)\(\)$/),
      'it keeps all that ever was in it: see `libs/state/src/expiring-map.ts`.',
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
  const starters = [
    'scripts/start.mjs',
    'scripts/posthorn.mjs',
    'scripts/cluster.mjs',
    'scripts/cluster/supervisor.ts',
  ]
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
