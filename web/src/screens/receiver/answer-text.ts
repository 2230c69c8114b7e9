/** An answer in a few words. */
export function answerText({ status, delayMs }: { status: number; delayMs: number }): string {
  return delayMs === 0 ? String(status) : `${status}, ${delayMs / 1_000} s`
}
