import { describe, expect, test } from '@jest/globals'
import { createGroupCommit } from './group-commit.ts'

/** A writer whose batches end when the test lets them. */
function createWriter() {
  const batches: { items: number[]; end(): void; fail(error: Error): void }[] = []
  const write = (items: number[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      batches.push({ items, end: () => resolve(items.map((item) => `r${item}`)), fail: reject })
    })
  return { batches, write }
}

async function turn(): Promise<void> {
  await new Promise((done) => setImmediate(done))
  await new Promise((done) => setImmediate(done))
}

const LIMITS = { maxBatch: 3, maxQueue: 8, writers: 1 }

describe('group commit', () => {
  test('what arrives in one turn is one batch; what arrives meanwhile the next', async () => {
    const { batches, write } = createWriter()
    const group = createGroupCommit(LIMITS, write)
    const results = [group.add(1), group.add(2)]
    expect(batches).toEqual([])
    await turn()
    expect(batches.map(({ items }) => items)).toEqual([[1, 2]])
    results.push(group.add(3), group.add(4))
    await turn()
    expect(batches).toHaveLength(1)
    expect(group.size()).toBe(4)
    batches[0]?.end()
    await turn()
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ])
    batches[1]?.end()
    expect(await Promise.all(results)).toEqual(['r1', 'r2', 'r3', 'r4'])
    expect(group.size()).toBe(0)
  })

  test('batches are no larger than they may be, and keep the order', async () => {
    const { batches, write } = createWriter()
    const group = createGroupCommit(LIMITS, write)
    const results = [1, 2, 3, 4, 5, 6, 7].map((item) => group.add(item))
    for (let at = 0; at < 3; at += 1) {
      await turn()
      batches[at]?.end()
    }
    expect(await Promise.all(results)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7'])
    expect(batches.map(({ items }) => items)).toEqual([[1, 2, 3], [4, 5, 6], [7]])
  })

  test('a full queue says so at once, and takes again when there is room', async () => {
    const { batches, write } = createWriter()
    const group = createGroupCommit({ ...LIMITS, maxQueue: 2 }, write)
    const results = [group.add(1), group.add(2)]
    expect(group.add(3)).toBeNull()
    await turn()
    expect(group.add(3)).toBeNull() // what is being written counts too
    batches[0]?.end()
    await Promise.all(results)
    const later = group.add(3)
    await turn()
    batches[1]?.end()
    expect(await later).toBe('r3')
  })

  test('batches and the queue are bounded in bytes too; one item over it all goes alone', async () => {
    const { batches, write } = createWriter()
    const bytes = { of: (item: number) => item, maxBatch: 10, maxQueue: 40 }
    const group = createGroupCommit({ ...LIMITS, bytes }, write)
    const results = [4, 6, 1, 15, 14].map((item) => group.add(item))
    expect(group.add(1)).toBeNull()
    expect(group.add(0)).not.toBeNull()
    for (let at = 0; at < 4; at += 1) {
      await turn()
      batches[at]?.end()
    }
    expect(await Promise.all(results)).toEqual(['r4', 'r6', 'r1', 'r15', 'r14'])
    expect(batches.map(({ items }) => items)).toEqual([[4, 6], [1], [15], [14], [0]])
    const most = [group.add(40), group.add(1)]
    await turn()
    batches[4]?.end()
    await turn()
    batches[5]?.end()
    expect(most[1]).toBeNull()
    expect(await most[0]).toBe('r40')
  })

  test('several writers write at once', async () => {
    const { batches, write } = createWriter()
    const group = createGroupCommit({ ...LIMITS, writers: 2 }, write)
    const results = [1, 2, 3, 4, 5, 6, 7].map((item) => group.add(item))
    await turn()
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ])
    batches[1]?.end()
    await turn()
    expect(batches.map(({ items }) => items)).toEqual([[1, 2, 3], [4, 5, 6], [7]])
    batches[0]?.end()
    batches[2]?.end()
    expect(await Promise.all(results)).toHaveLength(7)
  })

  test('a batch that fails fails all of its items, and no others', async () => {
    const { batches, write } = createWriter()
    const group = createGroupCommit({ ...LIMITS, maxBatch: 2 }, write)
    const results = Promise.allSettled([1, 2, 3].map((item) => group.add(item)))
    await turn()
    batches[0]?.fail(new Error('the store is down'))
    await turn()
    batches[1]?.end()
    expect((await results).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'fulfilled',
    ])
  })

  test('idle: at once when there is nothing, else after the last batch, failed or not', async () => {
    const { batches, write } = createWriter()
    const group = createGroupCommit({ ...LIMITS, maxBatch: 1 }, write)
    await group.idle()
    const results = Promise.allSettled([group.add(1), group.add(2)])
    let idle = false
    const waiting = group.idle().then(() => {
      idle = true
    })
    await turn()
    batches[0]?.end()
    await turn()
    expect(idle).toBe(false)
    batches[1]?.fail(new Error('x'))
    await waiting
    expect(group.size()).toBe(0)
    await results
  })

  test('a batch gathers until it has enough, by then, or its time is over', async () => {
    const { batches, write } = createWriter()
    const items = (): number[][] => batches.map((batch) => batch.items)
    let enough = 3
    const gather = { ms: 60_000, enough: () => enough }
    const group = createGroupCommit({ ...LIMITS, gather }, write)
    void group.add(1)
    void group.add(2)
    await turn()
    expect(items()).toEqual([])
    void group.add(3)
    await turn()
    expect(items()).toEqual([[1, 2, 3]])
    void group.add(4)
    batches[0]?.end()
    await turn()
    expect(items()).toHaveLength(1)
    enough = 2
    void group.add(5)
    await turn()
    expect(items()[1]).toEqual([4, 5])
    enough = 1
    void group.add(6)
    batches[1]?.end()
    await turn()
    expect(items()[2]).toEqual([6])
    batches[2]?.end()
    await turn()

    const soon = createGroupCommit({ ...LIMITS, gather: { ms: 1, enough: () => 3 } }, async () => [
      'r',
    ])
    expect(await soon.add(7)).toBe('r')
  })

  test('what came while a batch was written waits for more, as long as it is told', async () => {
    const { batches, write } = createWriter()
    const items = () => batches.map((batch) => batch.items)
    let forMs = 60_000
    const group = createGroupCommit({ ...LIMITS, waitForMoreMs: () => forMs }, write)
    void group.add(1)
    await turn()
    expect(items()).toEqual([[1]]) // nothing was being written
    void group.add(2)
    batches[0]?.end()
    await turn()
    void group.add(3)
    await turn()
    expect(items()).toHaveLength(1)
    void group.add(4)
    await turn()
    expect(items()[1]).toEqual([2, 3, 4]) // a full batch has nothing to wait for

    batches[1]?.end()
    await turn()
    void group.add(5)
    await turn()
    expect(items()[2]).toEqual([5]) // nothing had come meanwhile
    forMs = 0
    void group.add(6)
    batches[2]?.end()
    await turn()
    expect(items()[3]).toEqual([6])
    batches[3]?.end()
    await group.idle()

    let second: Promise<number> | null = null
    const soon = createGroupCommit<number, number>(
      { ...LIMITS, waitForMoreMs: () => 1 },
      async (written) => {
        second ??= soon.add(8)
        return written
      },
    )
    expect(await soon.add(7)).toBe(7)
    expect(await second).toBe(8)
  })

  test('a batch that is full in bytes does not wait for more', async () => {
    const { batches, write } = createWriter()
    const bytes = { of: (item: number) => item, maxBatch: 10, maxQueue: 40 }
    const group = createGroupCommit({ ...LIMITS, bytes, waitForMoreMs: () => 60_000 }, write)
    void group.add(1)
    await turn()
    void group.add(12)
    batches[0]?.end()
    await turn()
    expect(batches[1]?.items).toEqual([12])
  })
})
