/**
 * Finds a loopback port that nobody listens on at the moment, and reserves it among the processes
 * that ask here: a file in the directory for temporary files has its number until the process ends.
 * Anybody else may still take it: whoever needs a promise listens on port 0.
 *
 * It is none of those that the system gives to outgoing connections (Linux: from 32768, others:
 * from 49152): while a server is down such a connection could take its port, even the very
 * connection that asks whether it is up again.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FROM = 12_000
const TO = 32_000
const MAX_ATTEMPTS = 1_000
/**
 * A process that is killed leaves its files behind. After an hour whoever wanted the port listens
 * on it, or has gone.
 */
const STALE_MS = 3_600_000
/** A folder for each user, because nobody else may write into it. */
const FOLDER = join(tmpdir(), `posthorn-ports-${process.getuid?.() ?? 'own'}`)
/** The files of this process. */
const reserved: string[] = []

export async function freePort(): Promise<number> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const port = FROM + Math.floor(Math.random() * (TO - FROM))
    if (reserve(port) && (await isFree(port))) return port
  }
  throw new Error(`no port between ${FROM} and ${TO} is free`)
}

/** @returns false: this process or another one has it already */
function reserve(port: number): boolean {
  const file = join(FOLDER, String(port))
  try {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(file, '', { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (Date.now() - at > STALE_MS) rmSync(file, { force: true })
    return false
  }
  if (reserved.length === 0) process.once('exit', releaseAll)
  reserved.push(file)
  return true
}

function releaseAll(): void {
  for (const file of reserved) rmSync(file, { force: true })
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise<boolean>((done) => {
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}
