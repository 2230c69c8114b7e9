/**
 * Loaded into the process that a script here hands over to: stops it, in good order, when the
 * script was killed.
 *
 * Descriptor 3 is a pipe that only the script holds, so its end is the script's end.
 *
 * Every thread of the process loads this too. One that opened the descriptor would close it at its
 * own end; the next connection would get its number while this still watches it, and neither hear
 * anything nor let the event loop sleep.
 */
import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const pipe = new Socket({ fd: 3, readable: true, writable: false })
  pipe.on('error', () => {})
  pipe.on('close', () => process.kill(process.pid, 'SIGTERM'))
  pipe.resume()
  pipe.unref()
}
