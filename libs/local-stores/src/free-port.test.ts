import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { freePort } from './free-port.ts'

const MODULE = fileURLToPath(new URL('free-port.ts', import.meta.url))
/** There are 20,000 ports: two processes that know nothing of each other would share 8. */
const PORTS = 400

test('no two processes are given one port', async () => {
  const text = `import { freePort } from ${JSON.stringify(MODULE)}
    for (let n = 0; n < ${PORTS}; n += 1) console.log(await freePort())`
  const other = promisify(execFile)(process.execPath, ['--input-type=module', '-e', text])
  const own: number[] = []
  while (own.length < PORTS) own.push(await freePort())
  const others = (await other).stdout.trim().split('\n').map(Number)
  expect(new Set([...own, ...others]).size).toBe(2 * PORTS)
})
