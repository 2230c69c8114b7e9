/**
 * What `listen` keeps between two runs for one place to forward to: its endpoint, where events wait
 * meanwhile, and its secret, so that the application goes on verifying. One process at a time has
 * it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { failure } from '../failure.ts'
import { configFolder, readPrivate, writePrivate } from '../private-files.ts'

export interface ListenerState {
  /** null: not made yet, or deleted. */
  endpointId: string | null
  secret: string
  target: string
}

export interface ListenerPlace {
  /** The installation, the workspace, and where in it. */
  scope: readonly string[]
  target: string
}

export interface ListenerStore {
  read(): Promise<ListenerState>
  write(state: ListenerState): Promise<void>
  /** Fails while another process has it. @returns what gives it up */
  lock(): Promise<() => Promise<void>>
}

/** By its description an endpoint is known as one of `listen`, which `apply` leaves alone. */
export const LISTENER_DESCRIPTION = 'posthorn listen: '

type Environment = Readonly<Record<string, string | undefined>>

export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}

export function listenerStore(env: Environment, { scope, target }: ListenerPlace): ListenerStore {
  const key = fingerprint(JSON.stringify([...scope, target]))
  const path = join(configFolder(env), 'listeners', `${key}.json`)
  return {
    async read() {
      const kept = (await readPrivate(path)) as Partial<ListenerState> | undefined
      if (typeof kept?.secret === 'string')
        return { endpointId: kept.endpointId ?? null, secret: kept.secret, target }
      const state = { endpointId: null, secret: newSecret(), target }
      await writePrivate(path, state)
      return state
    },
    write: (state) => writePrivate(path, state),
    lock: () => lockFile(`${path}.lock`),
  }
}

/** As the installation makes them. */
function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

/** The owner of a lock says so often that it has it still: a number of a process is used again. */
const LOCK_EVERY_MS = 5_000
const LOCK_STALE_MS = 60_000

async function lockFile(path: string): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  for (;;) {
    try {
      const file = await open(path, 'wx', 0o600)
      await file.writeFile(String(process.pid))
      await file.close()
      const renewing = setInterval(() => {
        const now = new Date()
        utimes(path, now, now).catch(() => {})
      }, LOCK_EVERY_MS)
      renewing.unref()
      return async () => {
        clearInterval(renewing)
        await rm(path, { force: true })
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const pid = Number(await readFile(path, 'utf8').catch(() => ''))
    const renewedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    if (isRunning(pid) && Date.now() - renewedAt < LOCK_STALE_MS)
      throw failure(`another "posthorn listen" (process ${pid}) forwards there already`)
    // A process that was killed left it behind.
    await rm(path, { force: true })
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
