/** What differs between two texts, line by line: what both begin and end with is left alone. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  text: string
  at: number
}

export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1
  let tail = 0
  const most = Math.min(old.length, now.length) - head
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1
  const part = (
    lines: readonly string[],
    kind: DiffLine['kind'],
    from: number,
    to: number,
  ): DiffLine[] => lines.slice(from, to).map((text, index) => ({ kind, text, at: from + index }))
  return [
    ...part(now, 'same', 0, head),
    ...part(old, 'removed', head, old.length - tail),
    ...part(now, 'added', head, now.length - tail),
    ...part(now, 'same', now.length - tail, now.length),
  ]
}
