import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { BROUGHT_ALONG, refuseNode } from './node-version.mjs'

test.each(['linux', 'darwin', 'win32'])('Node 24 and newer are taken on %s', (platform) => {
  expect(refuseNode('24.0.0', platform, 'arm64')).toBeUndefined()
  expect(refuseNode('26.10.0', platform, 'x64')).toBeUndefined()
})

test.each(['x64', 'arm64'])('Node 20 is enough on Linux, %s', (arch) => {
  expect(refuseNode('20.20.2', 'linux', arch)).toBeUndefined()
})

test.each([
  ['22.3.0', 'darwin', 'arm64', 'brew install node@24'],
  ['20.1.0', 'darwin', 'x64', 'nvm install 24'],
  ['22.3.0', 'linux', 'riscv64', 'https://nodejs.org'],
  ['18.19.0', 'linux', 'x64', 'nvm install 24'],
])('Node %s on %s %s: what to do is said', (version, platform, arch, advice) => {
  expect(refuseNode(version, platform, arch)).toContain(version)
  expect(refuseNode(version, platform, arch)).toContain(advice)
})

test('what is said to come along are the dependencies that bring it, of one version', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  expect(Object.keys(optionalDependencies)).toEqual(
    BROUGHT_ALONG.map((name) => `node-${name}`).toSorted(),
  )
  expect(new Set(Object.values(optionalDependencies)).size).toBe(1)
})
