/**
 * Keeps the low-water marks of the partitions that one generation of a group owns, and commits the
 * marks that moved, at most every half second. What was done after the last commit is read again
 * after a crash, and dropped by whoever finds it claimed.
 */
import { createMutex } from '@posthorn/async/mutex'
import type { EachBatchPayload, KafkaJSProtocolError } from 'kafkajs'
import { createLowWaterMark, type LowWaterMark } from './offsets.ts'

/**
 * Makes the function that marks the message at `index` as done. It must be called in the order of
 * the batch.
 */
export type Finisher = (index: number) => () => void

export interface KafkaCommits {
  /** Forgets all partitions: messages of theirs that are finished later have no effect. */
  forget(): void
  track(payload: EachBatchPayload): Finisher
  /**
   * Called before partitions change hands, for what is done and not committed would be read by two
   * members. It never rejects.
   */
  commitNow(): Promise<void>
  /** Commits what is done for the last time. */
  stop(): Promise<void>
}

/** A commit costs as much as a fetch or a send, of which there are some 25 a second under load. */
const COMMIT_EVERY_MS = 500

interface TrackedPartition {
  topic: string
  partition: number
  mark: LowWaterMark
  committed: number | undefined
}

export function createKafkaCommits(onError: (error: unknown, doing: string) => void): KafkaCommits {
  let partitions = new Map<string, TrackedPartition>()
  // kafkajs's public commit retries for a while and would repeat an old generation's offsets in the
  // next one. The commit function that comes with a batch makes a single attempt.
  let commit: EachBatchPayload['commitOffsetsIfNecessary'] | undefined
  let timer: NodeJS.Timeout | undefined
  const mutex = createMutex()
  let failing = false
  let stopped = false

  function schedule() {
    if (stopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      void commitNow()
    }, COMMIT_EVERY_MS)
  }

  async function commitMoved() {
    const moved = [...partitions.values()].flatMap((partition) => {
      const offset = partition.mark.committable()
      return offset === undefined || offset === partition.committed ? [] : [{ partition, offset }]
    })
    if (moved.length === 0 || !commit) return
    try {
      await commit({ topics: byTopic(moved) })
      for (const { partition, offset } of moved) partition.committed = offset
      failing = false
    } catch (error) {
      if (!failing && !isRebalance(error)) onError(error, 'committing offsets; trying again')
      failing = true
      schedule()
    }
  }

  function commitNow() {
    return mutex(commitMoved)
  }

  return {
    commitNow,
    forget() {
      partitions = new Map()
    },
    track({ batch, commitOffsetsIfNecessary }) {
      commit = commitOffsetsIfNecessary
      const key = `${batch.topic}:${batch.partition}`
      let entry = partitions.get(key)
      if (!entry) {
        const { topic, partition } = batch
        const committed = Number(batch.messages[0]?.offset)
        entry = { topic, partition, mark: createLowWaterMark(), committed }
        partitions.set(key, entry)
      }
      const { mark } = entry
      return (index) => {
        const slot = mark.take(Number(batch.messages[index]?.offset))
        return () => {
          mark.finish(slot)
          schedule()
        }
      }
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await commitNow()
    },
  }
}

function byTopic(moved: { partition: TrackedPartition; offset: number }[]) {
  return [...Map.groupBy(moved, ({ partition }) => partition.topic)].map(([topic, marks]) => ({
    topic,
    partitions: marks.map(({ partition, offset }) => ({
      partition: partition.partition,
      offset: String(offset),
    })),
  }))
}

/** A rebalance refuses commits of the generation before it; that is no failure. */
function isRebalance(error: unknown): boolean {
  const refusals = ['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID']
  // Told by name, because kafkajs's errors cannot be imported from an ES module.
  return refusals.includes((error as Partial<KafkaJSProtocolError>).type ?? '')
}
