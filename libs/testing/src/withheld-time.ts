/**
 * How long a process that was ready to run had no processor, for bounds on what processes take that
 * a busy machine must not break.
 *
 * It knows the main thread alone, and only where Linux tells it; elsewhere nothing is left out.
 */
import { readFile } from 'node:fs/promises'

/** Milliseconds since the process began; 0 where nobody counts them. */
export async function withheldMs(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '')
  // Nanoseconds on a processor, nanoseconds of waiting for one, and the number of times.
  return Number(text.split(' ')[1] ?? 0) / 1_000_000
}
