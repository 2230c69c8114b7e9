/** What files say: no paths of machines, no registries, nothing left to be done, exact versions. */
import { describe, expect, test } from '@jest/globals'
import { code, expectNone, files } from './broken-rules.ts'
import type { SourceFile } from './source-files.ts'

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
