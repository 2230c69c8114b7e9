/**
 * How soon a batch may follow another. Each costs the broker, its readers and us some tenths of a millisecond of a
 * processor however few it carries, so they are to be few where there is much; and what comes alone goes at once.
 */
export interface SendThrottle {
  /** Until the next may go. */
  waitMs(now: number): number
  sent(messages: number, now: number): void
}

/** 200 batches a second are 5 messages each at 1,000 a second, for 2.5 ms of each one's time. */
const BETWEEN_MS = 5
/**
 * 94 messages each at the 2,350 a second of two cores, where group commits alone made 33: a third less of what sender, broker
 * and reader take, for 20 ms of a message's time, where its whole way takes 70.
 */
const BETWEEN_WHEN_BUSY_MS = 40
/** At 1,000 a second processors are still half idle and the 20 ms would double the way; a little above they are scarce. */
const BUSY_PER_SECOND = 1_300
/** At 1,000 a second it takes a stall of 150 ms to look busy. */
const WINDOW_MS = 500

export function createSendThrottle(): SendThrottle {
  let lastAt = -Infinity
  let windowAt = -Infinity
  let inWindow = 0
  let isBusy = false
  return {
    waitMs: (now) => Math.max(0, lastAt + (isBusy ? BETWEEN_WHEN_BUSY_MS : BETWEEN_MS) - now),
    sent(messages, now) {
      lastAt = now
      inWindow += messages
      if (now - windowAt < WINDOW_MS) return
      isBusy = inWindow * 1_000 > BUSY_PER_SECOND * (now - windowAt)
      windowAt = now
      inWindow = 0
    },
  }
}
