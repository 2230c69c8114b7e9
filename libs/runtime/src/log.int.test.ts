/** When lines reach their file, and what an idle log costs. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { afterAll, expect, test } from '@jest/globals'
import { eventually } from '@posthorn/testing/eventually'
import { createLog } from './log.ts'

const path = join(tmpdir(), `posthorn-log-${process.pid}.log`)
afterAll(() => rmSync(path, { force: true }))

const rounds = (): number => performance.nodeTiming.uvMetricsInfo.loopCount

test('writes a line soon, without being told to', async () => {
  const log = createLog('test', 'info', path)
  log.info('first', { n: 1 })
  await eventually(() => expect(readFileSync(path, 'utf8')).toMatch(/"n":1.*"event":"first"/))
  log.info('second')
  await eventually(() => expect(readFileSync(path, 'utf8')).toMatch(/"event":"second"/))
})

test('keeps no more than its bound for a reader that stands still, and tells how many lines it dropped', async () => {
  const pipe = `${path}.pipe`
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const log = createLog('test', 'info', pipe)
    const pad = 'x'.repeat(1_000)
    for (let n = 0; n < 20_000; n += 1) log.info('line', { n, pad })
    let read = ''
    const chunk = Buffer.alloc(1024 * 1024)
    const take = (): string | false => {
      read += chunk.toString('latin1', 0, readSync(reader, chunk))
      return read.slice(-500).match(/"lines":(\d+),"event":"log.lines-dropped"/)?.[1] ?? false
    }
    const dropped = await eventually(take, { everyMs: 1, timeoutMs: 60_000 })
    const lines = read.split('\n').filter((line) => line.includes('"event":"line"'))
    expect(lines.length + Number(dropped)).toBe(20_000)
    expect(read.length).toBeLessThan(17 * 1024 * 1024)
  } finally {
    closeSync(reader)
    rmSync(pipe)
  }
})

test('wakes nobody when there is nothing to write', async () => {
  const logs = Array.from({ length: 20 }, () => createLog('test', 'info', path))
  // Their files are open by then.
  logs.forEach((log) => log.info('open'))
  const lines = (): number => readFileSync(path, 'utf8').split('"open"').length - 1
  await eventually(() => lines() === logs.length)
  const before = rounds()
  const until = performance.now() + 1_200
  await eventually(() => performance.now() > until, { everyMs: 1_200 })
  // A flush is two rounds. If the logs did not flush together, this time would contain 80 rounds.
  expect(rounds() - before).toBeLessThan(15)
})
