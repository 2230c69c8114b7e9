/** How many events a month will have, if the rest of it goes as the part that is over. */
const LEAST_SHARE = 1 / 60

/** @param now and all instants in epoch ms */
export function forecastOf(events: number, start: number, end: number, now: number): number {
  // Half a day: what happens in the first minutes of a month says nothing of the rest.
  const share = Math.min(Math.max((now - start) / (end - start), LEAST_SHARE), 1)
  return Math.round(events / share)
}
