#!/usr/bin/env node
/** `posthorn`, the command line: runs one command, and ends with its exit code. */
import { CommanderError } from 'commander'
import { describeError, errorLines, EXIT, exitCodeOf } from './failure.ts'
import { createOutput, type Output } from './output.ts'
import { createProgram } from './program.ts'

/** What a shell says of a process that a signal ended. */
const INTERRUPTED = 130

let out: Output = createOutput(false, process.stdout, process.stderr)

// Whoever reads the results may have seen enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failed)
})

const controller = new AbortController()

/** The first signal ends a command in order, the second at once. */
function interruptSignal(): AbortSignal {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(INTERRUPTED)
      controller.abort()
    })
  }
  return controller.signal
}

const program = createProgram({
  output(isJson) {
    out = createOutput(isJson, process.stdout, process.stderr)
    return out
  },
  signal: interruptSignal,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed what is wrong, or the help that was asked for.
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage
  } else if (controller.signal.aborted && (error as Error).name === 'AbortError') {
    // The user ended it while it waited for an answer.
    process.exitCode = EXIT.ok
  } else {
    for (const line of errorLines(error)) out.status(line)
    if (out.isJson) out.result(describeError(error), '')
    process.exitCode = exitCodeOf(error)
  }
}
