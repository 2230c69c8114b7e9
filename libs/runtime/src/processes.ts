/**
 * Whether a process is alive, and whether it is still the same one: numbers are used again.
 *
 * Outside Linux a process that has ended but was not yet collected by its parent counts as alive.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    // EPERM: it is alive, and belongs to somebody else
  }
  return fields(pid)[0] !== 'Z'
}

/**
 * A text that differs from that of a later process with the same number; empty when the process is
 * gone.
 */
export function processStart(pid: number): string {
  if (process.platform === 'linux') return fields(pid)[19] ?? ''
  const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return ps.stdout.trim().replaceAll(' ', '_')
}

/**
 * `/proc/<pid>/stat` from its third field (the state) on; the second may contain blanks and
 * brackets.
 */
function fields(pid: number): string[] {
  if (process.platform !== 'linux') return []
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
