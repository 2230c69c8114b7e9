/**
 * The low-water mark of one partition: the offset below which everything is done. Messages end in
 * any order, but Kafka knows only one number per partition, so only this one may be committed.
 *
 * It does not look at what offsets mean: they may have gaps and start again at 0 after the broker
 * lost its data.
 */
export interface LowWaterMark {
  /** Notes that a message was read; returns the slot to finish it by. */
  take(offset: number): number
  finish(slot: number): void
  /**
   * The offset at which reading has to start again after a crash; undefined before the first
   * message.
   */
  committable(): number | undefined
}

/** Finished slots are cut off in steps, so that cutting costs O(1) per message. */
const COMPACT_AT = 4_096

export function createLowWaterMark(): LowWaterMark {
  let offsets: number[] = []
  let finished: boolean[] = []
  // Slots count from the first message ever taken; `cut` of them are no longer in the arrays.
  let cut = 0
  let head = 0
  let last: number | undefined

  function compact() {
    if (head < COMPACT_AT) return
    offsets = offsets.slice(head)
    finished = finished.slice(head)
    cut += head
    head = 0
  }

  return {
    take(offset) {
      offsets.push(offset)
      finished.push(false)
      last = offset
      return cut + offsets.length - 1
    },
    finish(slot) {
      const index = slot - cut
      if (index < head) return
      finished[index] = true
      while (finished[head]) head += 1
      compact()
    },
    committable: () => offsets[head] ?? (last === undefined ? undefined : last + 1),
  }
}
