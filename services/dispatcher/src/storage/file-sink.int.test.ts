/** Files as the disk has them. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileSink, type PutFile } from './file-sink.ts'
import type { ResolvedStorage } from './resolve-storage.ts'
import { createSink } from './write-object.ts'
import type { StoredEvent } from './write-result.ts'

const DAY = 'order.paid/2026/03/09'
const KEY = `in/${DAY}/one.json`

let dir = ''
let put: PutFile
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posthorn-files-'))
  put = createFileSink(join(dir, 'root'), { now: () => performance.now() })
})
afterEach(async () => await rm(dir, { recursive: true, force: true }))

/** Files only. */
async function tree(): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      return join(parentPath, name).slice(dir.length + 1)
    })
}

test('a file has the bytes, alone in its folder, closed to others', async () => {
  expect(await put(KEY, '{"a":"ü"}', 5_000)).toMatchObject({ outcome: 'response', statusCode: 200 })
  expect(await tree()).toEqual([`root/${KEY}`])
  const path = join(dir, 'root', KEY)
  expect(await readFile(path, 'utf8')).toBe('{"a":"ü"}')
  const modes = await Promise.all([path, join(dir, 'root/in')].map(async (one) => await stat(one)))
  expect(modes.map(({ mode }) => mode & 0o027)).toEqual([0, 0])
})

test('a second attempt replaces the file', async () => {
  await put(KEY, '{"n":1,"long":true}', 5_000)
  await put(KEY, '{"n":2}', 5_000)
  expect(await tree()).toEqual([`root/${KEY}`])
  expect(await readFile(join(dir, 'root', KEY), 'utf8')).toBe('{"n":2}')
})

test('many at once are all written', async () => {
  const keys = Array.from({ length: 100 }, (_, n) => `${n % 7}/${DAY}/${n}.json`)
  const results = await Promise.all(keys.map(async (key) => await put(key, key, 20_000)))
  expect(results.filter((result) => result.outcome !== 'response')).toEqual([])
  expect((await tree()).sort()).toEqual(keys.map((key) => `root/${key}`).sort())
})

test.each(['../outside.json', 'a/../../outside.json', '/etc/outside.json', '..', ''])(
  'no key leads out of the folder: %j',
  async (key) => {
    await expect(put(key, '{}', 5_000)).rejects.toThrow('would leave the storage folder')
    expect(await tree()).toEqual([])
  },
)

test.each(['../../x', 'a/../../x', 'a\\..\\..\\x', '\0'])(
  'no prefix leads out of the folder: %j',
  async (prefix) => {
    const errors: unknown[] = []
    const store = storeInto(join(dir, 'root'), errors)
    const result = await store({ ...WAY, target: { type: 'file', prefix } }, EVENT)
    expect(result).toMatchObject({ outcome: 'error', category: 'internal' })
    expect(errors).toHaveLength(1)
    expect(await tree()).toEqual([])
  },
)

test.each([
  ['../../x', '.._.._x'],
  ['..', '__'],
  ['a/b', 'a_b'],
])('no event type leads out of its folder: %j', async (eventType, folder) => {
  const store = storeInto(join(dir, 'root'), [])
  await store({ ...WAY, target: { type: 'file', prefix: '/p/' } }, { ...EVENT, eventType })
  expect(await tree()).toEqual([`root/tenant/p/${folder}/2026/03/09/${EVENT.eventId}.json`])
})

test('one tenant’s prefix leads into no other tenant’s folder', async () => {
  const store = storeInto(join(dir, 'root'), [])
  await store({ ...WAY, tenantId: 'one', target: { type: 'file', prefix: 'orders' } }, EVENT)
  const forged = { ...EVENT, body: '{"forged":true}' }
  for (const prefix of ['one/orders', '/one/orders/', 'orders']) {
    await store({ ...WAY, tenantId: 'two', target: { type: 'file', prefix } }, forged)
  }
  const path = `orders/${DAY}/${EVENT.eventId}.json`
  expect(await readFile(join(dir, 'root/one', path), 'utf8')).toBe('{}')
  expect((await tree()).filter((file) => file.startsWith('root/one/'))).toEqual([
    `root/one/${path}`,
  ])
})

test('who writes very much keeps nobody else waiting', async () => {
  const store = storeInto(join(dir, 'root'), [])
  let ended = 0
  const flood = Array.from({ length: 200 }, async (_, n) => {
    const result = await store({ ...WAY, tenantId: 'one' }, { ...EVENT, eventId: `flood-${n}` })
    ended += 1
    return result
  })
  const result = await store({ ...WAY, tenantId: 'two' }, EVENT)
  expect(result).toMatchObject({ outcome: 'response', statusCode: 200 })
  expect(ended).toBeLessThan(20)
  await Promise.all(flood)
})

test('without a folder nothing is written', async () => {
  const store = storeInto(undefined, [])
  expect(await store(WAY, EVENT)).toMatchObject({
    category: 'storage',
    detail: 'files are off here: STORAGE_DIR is not set',
  })
})

test('what is in its place is named, without telling where', async () => {
  await mkdir(join(dir, 'root'))
  await writeFile(join(dir, 'root/in'), 'a file')
  const result = await put(KEY, '{}', 5_000)
  expect(result).toMatchObject({
    outcome: 'error',
    category: 'storage',
    detail: expect.stringMatching(/^a file stands where a folder has to be \((EEXIST|ENOTDIR)\)$/),
  })
  expect(JSON.stringify(result)).not.toContain(dir)
})

test('what takes too long is given up, and is not written later either', async () => {
  const keys = Array.from({ length: 200 }, (_, n) => `${n}/${DAY}/late.json`)
  const late = keys.map(async (key) => await put(key, 'late', 1))
  // Behind 199 others, of which each is synced three times at least.
  expect(await late.at(-1)).toMatchObject({ outcome: 'error', category: 'timeout' })
  await put(KEY, 'in time', 20_000)
  expect(await tree()).toContain(`root/${KEY}`)
  expect(await tree()).not.toContain(`root/${keys.at(-1)}`)
})

test('the file is synced before it is in its place, and its folder after', async () => {
  const probe = await open(dir, 'r')
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const path = join(dir, 'root', KEY)
  const synced: { inode: number; isInPlace: boolean }[] = []
  const original = prototype.sync
  prototype.sync = async function sync(this: FileHandle) {
    const isInPlace = (await tree()).includes(`root/${KEY}`)
    synced.push({ inode: (await this.stat()).ino, isInPlace })
    await original.call(this)
  }
  try {
    await put(KEY, '{}', 5_000)
  } finally {
    prototype.sync = original
  }
  const inodeOf = async (one: string): Promise<number> => (await stat(one)).ino
  const file = await inodeOf(path)
  expect(synced.filter(({ inode }) => inode === file)).toEqual([{ inode: file, isInPlace: false }])
  expect(synced.at(-1)).toEqual({ inode: await inodeOf(join(path, '..')), isInPlace: true })
  const above = [
    'root/in/order.paid/2026/03',
    'root/in/order.paid/2026',
    'root/in/order.paid',
    'root/in',
    'root',
  ]
  const inodes = await Promise.all(above.map(async (one) => await inodeOf(join(dir, one))))
  expect(synced.map(({ inode }) => inode)).toEqual(expect.arrayContaining(inodes))
})

const WAY: ResolvedStorage = {
  key: 'one',
  tenantId: 'tenant',
  target: { type: 'file' },
  credentials: () => null,
  timeoutMs: 5_000,
  allowedCidrs: undefined,
  blockedCidrs: undefined,
}
const EVENT: StoredEvent = {
  eventId: '01890a5d-ac96-774b-bcce-b302099a8057',
  eventType: 'order.paid',
  createdAt: Date.UTC(2026, 2, 9),
  body: '{}',
}

function storeInto(
  storageDir: string | undefined,
  errors: unknown[],
): ReturnType<typeof createSink> {
  const send = (): never => {
    throw new Error('nothing is sent')
  }
  const log = {
    error: (_name: string, fields?: Record<string, unknown>) => void errors.push(fields),
  }
  const deps = { send, now: () => performance.now(), log }
  return createSink({ storageDir, userAgent: 'Posthorn/1.2.3' }, deps)
}
