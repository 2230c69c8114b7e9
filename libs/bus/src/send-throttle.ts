/**
 * Decides how soon a batch may follow another. Each costs the broker, its readers and us some
 * tenths of a millisecond of processor time however few messages it carries. So batches are to be
 * few where there is much to send, and a message that comes alone is sent at once.
 */
export interface SendThrottle {
  /** How long the next batch has to wait. */
  waitMs(now: number): number
  sent(messages: number, now: number): void
  /** What was sent is answered, or was given up. */
  ended(isAnswered: boolean, now: number): void
  /**
   * How long what comes in so many ms would wait for others, in ms. 0 where each message goes
   * alone, and where batches are large without that.
   *
   * @param isNextBegun something waits for the next batch already
   */
  waitInMs(inMs: number, now: number, isNextBegun: boolean): number
}

/**
 * Messages that come every 5 ms or so go alone. Waiting for 5 ms after the last batch was a third
 * of their time (p50 3.4 ms instead of 2.3 at 200 a second).
 */
const BETWEEN_WHEN_CALM_MS = 1
/** 200 batches a second: 5 messages each at 1,000 a second, and 2.5 ms of a message's time. */
const BETWEEN_MS = 5
/**
 * A batch follows no sooner than after twice the time that they take to be answered. Where the
 * broker answers in 2.5 ms that changes nothing. Where processors are scarce it answers in 5 to 10,
 * and fewer batches leave more to everything: the broker took 0.83 of its processor time, and the
 * median from post to arrival was 0.90 of what it was, at 1,000 a second on two cores (12 pairs).
 */
const BETWEEN_ANSWERS = 2
/** What the last answer counts in the mean. */
const LAST_ANSWER_SHARE = 1 / 8
/**
 * 94 messages each at the 2,350 a second of two cores, where group commits alone made it 33. That
 * is a third less work for sender, broker and reader, for 20 ms of a message's time, when its whole
 * way takes 70.
 */
const BETWEEN_WHEN_BUSY_MS = 40
/** A message comes at any time between two batches. */
export const BATCHING_DELAY_MS = BETWEEN_WHEN_BUSY_MS / 2
/** A batch takes 1.7 ms of a processor in all, so 300 of one message each take half a core. */
const CALM_PER_SECOND = 300
/**
 * At 1,000 a second processors are still half idle and the 20 ms would double a message's time; a
 * little above that they are scarce.
 */
const BUSY_PER_SECOND = 1_300
/** At 1,000 a second it takes a stall of 150 ms to look busy. */
const WINDOW_MS = 500
/** A burst is not sent a message at a time until its window ends. */
const CALM_PER_WINDOW = (CALM_PER_SECOND * WINDOW_MS) / 1_000

export function createSendThrottle(): SendThrottle {
  let lastAt = -Infinity
  let windowAt = -Infinity
  let inWindow = 0
  let betweenMs = BETWEEN_WHEN_CALM_MS
  let answerMs = 0

  function stretchedMs(): number {
    if (betweenMs !== BETWEEN_MS) return betweenMs
    return Math.min(Math.max(betweenMs, BETWEEN_ANSWERS * answerMs), BETWEEN_WHEN_BUSY_MS)
  }

  return {
    waitMs: (now) => Math.max(0, lastAt + stretchedMs() - now),
    ended(isAnswered, now) {
      if (!isAnswered) return
      const ms = Math.min(now - lastAt, BETWEEN_WHEN_BUSY_MS)
      answerMs += (ms - answerMs) * LAST_ANSWER_SHARE
    },
    waitInMs(inMs, now, isNextBegun) {
      if (betweenMs !== BETWEEN_MS) return 0
      const nextInMs = Math.max(0, lastAt + stretchedMs() - now)
      // What has begun goes without what comes later, which goes with the one behind.
      const isTooLate = isNextBegun && nextInMs < inMs
      return Math.max(0, nextInMs + (isTooLate ? stretchedMs() : 0) - inMs)
    },
    sent(messages, now) {
      lastAt = now
      inWindow += messages
      if (inWindow > CALM_PER_WINDOW) betweenMs = Math.max(betweenMs, BETWEEN_MS)
      if (now - windowAt < WINDOW_MS) return
      betweenMs = betweenFor((inWindow * 1_000) / (now - windowAt))
      windowAt = now
      inWindow = 0
    },
  }
}

function betweenFor(perSecond: number): number {
  if (perSecond > BUSY_PER_SECOND) return BETWEEN_WHEN_BUSY_MS
  return perSecond > CALM_PER_SECOND ? BETWEEN_MS : BETWEEN_WHEN_CALM_MS
}
