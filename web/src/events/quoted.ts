/** A text as a word of a POSIX shell's command: whatever it holds, it arrives as it is. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
