/** The package as its users install it: both module formats, their types, and older Nodes. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const run = promisify(execFile)
const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

const USE = `
  const client = new Posthorn({ apiKey: 'k', baseUrl: 'http://127.0.0.1:9' })
  const body = '{"a":1}'
  webhooks.sign(body, 's').then(async (headers) => {
    const event = await webhooks.verify(body, headers, 's')
    const error = await client.me.get({ maxRetries: 0 }).catch((thrown) => thrown)
    console.log(event.payload.a, error instanceof PosthornConnectionError, alone === webhooks.verify)
  })`
const NAMES = '{ Posthorn, PosthornConnectionError, webhooks }'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-sdk-'))
  // npm calls the package's own build first.
  const options = { cwd: PACKAGE, env: { ...process.env, npm_config_loglevel: 'error' } }
  const packed = await run('npm', ['pack', '--pack-destination', folder], options)
  const archive = join(folder, packed.stdout.trim().split('\n').at(-1) ?? '')
  const installed = join(folder, 'node_modules/@posthorn/node')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', archive, '-C', installed, '--strip-components=1'])
  await writeFile(
    join(folder, 'esm.mjs'),
    `import ${NAMES} from '@posthorn/node'\nimport { verify as alone } from '@posthorn/node/webhooks'\n${USE}`,
  )
  await writeFile(
    join(folder, 'cjs.cjs'),
    `const ${NAMES} = require('@posthorn/node')\nconst { verify: alone } = require('@posthorn/node/webhooks')\n${USE}`,
  )
  await writeFile(
    join(folder, 'typed.mts'),
    `import { Posthorn, type EventDetail, webhooks } from '@posthorn/node'
const client = new Posthorn({ apiKey: 'k', baseUrl: 'https://hooks.example.com' })
export const event: Promise<EventDetail> = client.events.get('e1')
export const paid = webhooks.verify<{ amount: number }>('', new Headers(), ['s'])
// @ts-expect-error a payload is an object
void client.events.create({ eventType: 'a', payload: 1 })
`,
  )
  await writeFile(
    join(folder, 'typed.cts'),
    `import sdk = require('@posthorn/node')\nexport const client = new sdk.Posthorn({ apiKey: 'k', baseUrl: 'https://a.example' })\n`,
  )
}, 120_000)
afterAll(async () => await rm(folder, { recursive: true, force: true }))

/** This Node, and the one that the machine has, if it is an older one. */
const NODES = [process.execPath, '/usr/local/bin/node', '/usr/bin/node'].filter(existsSync)

test.each(NODES)('%s runs it as either kind of module', async (node) => {
  for (const file of ['esm.mjs', 'cjs.cjs']) {
    const { stdout } = await run(node, [file], { cwd: folder })
    expect(stdout).toBe('1 true true\n')
  }
})

test('its types hold for either kind of module', async () => {
  const files = ['typed.mts', 'typed.cts']
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    '',
  ]
  await run(process.execPath, [TSC, ...options, '--lib', 'es2023,dom', ...files], { cwd: folder })
}, 60_000)
