/**
 * Ends a server when the process that started it is gone, however it went: also by SIGKILL.
 *
 * A shell in a session of its own reads from a pipe whose other end only the owner has open; the
 * pipe ends with the owner. So it works on Linux and macOS alike, takes effect at once, and needs
 * no polling. Where it is killed together with the owner (a container that stops) it does nothing,
 * and it need not.
 */
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'

export interface Watchdog {
  /** From now on this process is the one to end, with this signal. */
  watch(pid: number, signal: 'KILL' | 'QUIT'): void
  /** The server has been stopped in good order. */
  release(): void
}

const SCRIPT = `
pid=
while read -r verb number signal; do
  case $verb in
    watch) pid=$number; with=$signal ;;
    release) exit 0 ;;
  esac
done
[ -n "$pid" ] && kill "-$with" "$pid"
[ -n "$1" ] && sleep 1 && rm -rf -- "$1"
`

/** @param folder it is removed with the server; undefined: none is */
export function startWatchdog(folder: string | undefined): Watchdog {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'posthorn-watchdog', folder ?? ''], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const pipe = child.stdin as Socket
  pipe.on('error', () => {}) // it was killed: then nothing is watched any more
  pipe.unref()
  child.unref()
  return {
    watch: (pid, signal) => pipe.write(`watch ${pid} ${signal}\n`),
    release: () => pipe.end('release\n'),
  }
}
