/**
 * The command line as it is published: packed, run by `npx` with nothing else installed, by the
 * Node that the machine has, an older one perhaps. It goes the way of the quick start.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { type Receiver, startReceiver } from '@posthorn/testing/receiver'
import { VERSION } from '../../cli/src/version.ts'
import { verify } from '../../sdks/node/src/webhooks.ts'
import { type CommandLine, openCommandLine } from './command-line.ts'
import { joinProduct, type SharedProduct } from './products/join-product.ts'

const run = promisify(execFile)
const PACKAGE = fileURLToPath(new URL('../../cli', import.meta.url))
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const MAX_TARBALL_BYTES = 300_000

let folder: string
let tarball: string
let product: SharedProduct
let application: Receiver
let cli: CommandLine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-npx-'))
  // npm calls the package's own build first.
  const env = { ...process.env, npm_config_loglevel: 'error' }
  const packed = await run('npm', ['pack', '--pack-destination', folder], { cwd: PACKAGE, env })
  tarball = join(folder, packed.stdout.trim().split('\n').at(-1) ?? '')
  application = await startReceiver()
  product = await joinProduct('standalone')
  // A cache of its own, and no network: what is packed is all that there is.
  const npm = { npm_config_cache: join(folder, 'cache'), npm_config_offline: 'true' }
  cli = await openCommandLine(npm, ['npx', '--yes', `--package=${tarball}`, 'posthorn'])
}, 300_000)
afterAll(async () => {
  await cli?.close()
  await product?.leave()
  await application?.close()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

test('it is small, needs no other package, and brings the licenses of what it holds', async () => {
  const { size } = await stat(tarball)
  expect(size).toBeLessThan(MAX_TARBALL_BYTES)
  const list = await run('tar', ['-tzf', tarball])
  expect(list.stdout.split('\n')).toEqual(
    expect.arrayContaining(['package/dist/posthorn.mjs', 'package/README.md']),
  )
  const manifest = JSON.parse(
    (await run('tar', ['-xzOf', tarball, 'package/package.json'])).stdout,
  ) as Record<string, unknown>
  expect([manifest['name'], manifest['version'], manifest['dependencies']]).toEqual([
    'posthorn',
    VERSION,
    undefined,
  ])
  const licenses = (await run('tar', ['-xzOf', tarball, 'package/dist/LICENSES.txt'])).stdout
  for (const name of ['commander', '@modelcontextprotocol/sdk', 'yaml', 'zod'])
    expect(licenses).toContain(`## ${name} `)
})

test('its sources use what Node 20 has', async () => {
  await run(process.execPath, [TSC, '--noEmit', '-p', PACKAGE])
  expect(existsSync(join(PACKAGE, 'tsconfig.json'))).toBe(true)
}, 120_000)

test('by npx: log in, listen, send an event, and it is there, verified', async () => {
  const { stdout } = await cli.run(['--version'])
  expect(stdout.trim()).toBe(VERSION)
  const key = `${product.apiKey}\n`
  expect(await cli.run(['login', '--url', product.url], key)).toMatchObject({ code: 0 })
  const listener = cli.start(['listen', String(application.port), '--events', 'cli.packed'])
  await eventually(() => expect(listener.stderr()).toContain('listening in'))
  const sent = await cli.run(['trigger', 'cli.packed', '--data', '{"a":1}', '--json'])
  const { id } = JSON.parse(sent.stdout) as { id: string }
  const [request] = await application.waitFor(1)
  if (request === undefined) throw new Error('nothing arrived')
  const secret = await cli.run(['listen', String(application.port), '--print-secret'])
  expect((await verify(request.rawBody, request.headers, secret.stdout.trim())).id).toBe(id)
  await eventually(() => expect(listener.stdout()).toContain(`cli.packed  ${id}  200`))
}, 120_000)

test('apply and mcp find what they need in it', async () => {
  const exported = await cli.run(['export', '--only', 'eventTypes'])
  expect(exported).toMatchObject({ code: 0, stdout: 'version: 1\neventTypes: []\n' })
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  const ask = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const { stdout, code } = await cli.run(['mcp'], `${ask}\n`)
  expect(JSON.parse(stdout).result.serverInfo).toEqual({ name: 'posthorn', version: VERSION })
  expect(code).toBe(0)
}, 60_000)

test('a shell takes the completion', async () => {
  const { stdout } = await cli.run(['completion', 'bash'])
  const script = `${stdout}\nCOMP_WORDS=(posthorn li); COMP_CWORD=1; _posthorn; echo "\${COMPREPLY[@]}"`
  expect((await run('bash', ['-c', script])).stdout).toBe('listen\n')
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  for (const [, name] of stdout.matchAll(/^ {4}([a-z]+)\) words=/gm))
    expect(readme).toContain(`posthorn ${name}`)
}, 60_000)
