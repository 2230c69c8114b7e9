import { expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

const PRELOAD = new URL('end-with-launcher.mjs', import.meta.url).href
/** A process with a thread that ends; it then says whether its descriptor 3 is still open. */
const WITH_A_THREAD = `
  import { fstatSync } from 'node:fs'
  import { Worker } from 'node:worker_threads'
  const thread = new Worker(new URL('data:text/javascript,setImmediate(() => undefined)'))
  thread.on('exit', () => {
    fstatSync(3)
    process.stdout.write('open')
    setInterval(() => undefined, 1_000)
  })`

function launch() {
  const flags = [`--import=${PRELOAD}`, '--input-type=module', '--eval', WITH_A_THREAD]
  return spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] })
}

test('a thread that ends leaves the pipe to the launcher open, and its end stops the process', async () => {
  const child = launch()
  const exited = once(child, 'exit')
  const said = once(child.stdout as Readable, 'data')
  expect(String(await Promise.race([said, exited]))).toBe('open')
  child.stdio[3]?.destroy()
  expect(await exited).toEqual([null, 'SIGTERM'])
}, 20_000)
