/**
 * Writes an object as a file below one folder. It is there whole or not at all: written beside its
 * place, synced to the disk, renamed, and the folder synced. A process that is killed in between
 * may leave a `.<name>.<random>.tmp`.
 *
 * Folders get mode 0750 and files 0640: whoever is to read them is put into the group.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { createFairQueue } from '@posthorn/async/fair-queue'
import type { SendError, SendResponse } from '@posthorn/egress/egress'
import type { StorageError } from './write-result.ts'

const FOLDER_MODE = 0o750
const FILE_MODE = 0o640
/** Some 150 bytes each. Types times endpoints, for a day. */
const MAX_KNOWN_FOLDERS = 10_000
/**
 * A slow disk blocks a thread of libuv for each: of its four, two stay for the rest of the process.
 */
const WRITES_AT_ONCE = 2

export type FileResult = SendResponse | SendError | StorageError

export type PutFile = (key: string, body: string, timeoutMs: number) => Promise<FileResult>

/** We ran out of something, so it must not count against the endpoint. */
const OUR_OWN = new Set(['EMFILE', 'ENFILE', 'ENOMEM'])
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'no permission to write below STORAGE_DIR',
  EPERM: 'no permission to write below STORAGE_DIR',
  EROFS: 'the file system is read-only',
  EIO: 'the disk failed',
  ENOTDIR: 'a file stands where a folder has to be',
  EEXIST: 'a file stands where a folder has to be',
  EISDIR: 'a folder stands where the file has to be',
  ENAMETOOLONG: 'the name is too long',
}

export function createFileSink(dir: string, { now }: { now(): number }): PutFile {
  const root = resolve(dir)
  const makeFolder = createMakeFolder(root)
  const waiting = createFairQueue<() => void>()
  let running = 0

  /** Tenants take turns: who writes much waits behind its own. */
  async function inTurn(tenantId: string): Promise<void> {
    if (running < WRITES_AT_ONCE) running += 1
    else await new Promise<void>((go) => waiting.push(tenantId, go))
  }

  /** A turn goes from one to the next, so `running` changes only when none waits. */
  function endTurn(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return async (key, body, timeoutMs) => {
    const startedAt = now()
    const begun = { at: startedAt }
    const path = resolve(root, key)
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
      throw new Error(`${key} would leave the storage folder`)
    }
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), timeoutMs)
    const expired = new Promise<'late'>((end) =>
      late.signal.addEventListener('abort', () => end('late')),
    )
    const written = (async () => {
      await inTurn(key.slice(0, key.indexOf('/')))
      try {
        begun.at = now()
        return await writeWhole(makeFolder, path, body, late.signal)
      } finally {
        endTurn()
      }
    })()
    // What still runs when the time is over ends by itself, and its end interests nobody.
    const end = await Promise.race([written.catch((error: unknown) => error), expired])
    clearTimeout(timer)
    return resultOf(end, begun.at, startedAt, now(), timeoutMs)
  }
}

/**
 * Stops before the file is in its place when the time is over: a later attempt may have written it
 * by then.
 */
async function writeWhole(
  makeFolder: (folder: string) => Promise<void>,
  path: string,
  body: string,
  late: AbortSignal,
): Promise<void> {
  if (late.aborted) return
  const folder = dirname(path)
  await makeFolder(folder)
  const draft = join(folder, `.${basename(path)}.${randomUUID()}.tmp`)
  try {
    const file = await open(draft, 'wx', FILE_MODE)
    try {
      await file.writeFile(body)
      await file.sync()
    } finally {
      await file.close()
    }
    if (late.aborted) await unlink(draft)
    else await rename(draft, path)
  } catch (error) {
    await unlink(draft).catch(() => undefined)
    throw error
  }
  if (!late.aborted) await syncFolder(folder)
}

/**
 * A folder is safe once every folder that leads to it is synced, also where somebody else has just
 * made it: that is done when this process first writes into it.
 */
function createMakeFolder(root: string): (folder: string) => Promise<void> {
  const safe = new Set<string>()
  return async (folder) => {
    const made = await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
    if (made === undefined && safe.has(folder)) return
    for (let at = dirname(folder); at.length >= root.length; at = dirname(at)) await syncFolder(at)
    // Above the root nothing need be ours to read.
    await syncFolder(dirname(root)).catch(() => undefined)
    if (safe.size >= MAX_KNOWN_FOLDERS) safe.clear()
    safe.add(folder)
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function resultOf(
  end: unknown,
  firstByteOutAt: number,
  startedAt: number,
  endedAt: number,
  timeoutMs: number,
): FileResult {
  const times = { firstByteOutAt, lastByteInAt: endedAt, durationMs: endedAt - startedAt }
  if (end === undefined) {
    const nothing = { headers: {}, body: '', bodyTruncated: false }
    return { outcome: 'response', statusCode: 200, ...nothing, ...times }
  }
  if (end === 'late') {
    const detail = `the file was not written within ${timeoutMs} ms`
    return { outcome: 'error', category: 'timeout', detail, ...times }
  }
  const code = (end as NodeJS.ErrnoException).code ?? 'no code'
  return { outcome: 'error', ...describeFileError(code), ...times }
}

/** Not in Node's own words: they tell where the folder is. */
export function describeFileError(code: string): {
  category: 'internal' | 'storage'
  detail: string
} {
  const category = OUR_OWN.has(code) ? 'internal' : 'storage'
  return { category, detail: `${REASONS[code] ?? 'the file could not be written'} (${code})` }
}
