/**
 * The options of a developer's command, `npm run load` for one. `--help` prints the usage and ends
 * the process with 0; what is not understood ends it with 2, after the reason and the usage.
 *
 * @param read throws an error that names the option at fault
 */
export function commandOptions<Options>(
  usage: string,
  read: (args: readonly string[]) => Options,
): Options {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  }
  try {
    return read(args)
  } catch (error) {
    process.stderr.write(`${Error.isError(error) ? error.message : String(error)}\n${usage}\n`)
    process.exit(2)
  }
}

/** Throws with the option's name for what is not a whole number of `min` to `max`. */
export function wholeNumber(
  option: string,
  text: string,
  min = 0,
  max = Number.MAX_SAFE_INTEGER,
): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  const bounds = max === Number.MAX_SAFE_INTEGER ? `${min} on` : `${min} to ${max}`
  throw new Error(`${option} takes a whole number from ${bounds}, not ${text}`)
}
