/**
 * Loaded into the process that a script here hands over to: stops it, in good order, when the
 * script was killed.
 *
 * Descriptor 3 is a pipe that only the script holds, so its end is the script's end.
 */
import { Socket } from 'node:net'

const pipe = new Socket({ fd: 3, readable: true, writable: false })
pipe.on('error', () => {})
pipe.on('close', () => process.kill(process.pid, 'SIGTERM'))
pipe.resume()
pipe.unref()
