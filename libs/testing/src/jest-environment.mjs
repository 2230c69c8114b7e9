/**
 * The environment of every test file: it fails a file that leaves a timer, a socket, a server or a
 * process behind. What was released with `unref` does not count, nor do timers that Jest sets in
 * the same process. Worker threads are seen by their port.
 */
import { createHook } from 'node:async_hooks'
import { TestEnvironment } from 'jest-environment-node'

/**
 * Sockets that were closed are gone within a round or two of the loop; a busy machine needs longer
 * for that.
 */
const GRACE_MS = 2000
/**
 * Above this number the ended ones are forgotten, so that a test of a million timers does not keep
 * them all.
 */
const TIMERS_KEPT = 1000

/**
 * What a test or a hook may take, in times of what is written: that is what a machine needs which
 * is neither slow nor busy. A shared one may take twice as long for the same work, and a test that
 * hangs is ended all the same.
 */
const TIMES_LONGER = 3

/**
 * Jest's framework runs in a context of its own, test files do not: it has to mean the same String
 * as they do, for instance in `expect.any(String)`.
 */
const BUILT_IN = [
  'AggregateError',
  'Array',
  'BigInt',
  'Boolean',
  'Date',
  'Error',
  'EvalError',
  'Function',
  'Map',
  'Number',
  'Object',
  'Promise',
  'RangeError',
  'ReferenceError',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'SyntaxError',
  'TypeError',
  'URIError',
  'WeakMap',
  'WeakSet',
]

export default class LeakCheckingEnvironment extends TestEnvironment {
  async setup() {
    await super.setup()
    for (const name of BUILT_IN) this.global[name] = globalThis[name]
    this.handlesBefore = new Set(process._getActiveHandles())
    this.timers = []
    this.givenTime = new WeakSet()
    this.hook = createHook({
      init: (_id, type, _trigger, timer) => {
        // Its stack is made into text only when it is asked for, which costs more than the timer.
        if (type === 'Timeout') this.timers.push({ timer, setHere: new Error('set here') })
        if (this.timers.length > TIMERS_KEPT) this.timers = this.timers.filter(isSet)
      },
      trackPromises: false,
    }).enable()
  }

  async handleTestEvent(event, state) {
    if (event.name === 'test_fn_start') this.giveTime(event.test, state)
    if (event.name === 'hook_start') this.giveTime(event.hook, state)
    if (event.name !== 'run_finish') return
    this.hook.disable()
    const deadline = performance.now() + GRACE_MS
    let left = this.leftOver()
    while (left.length > 0 && performance.now() < deadline) {
      await new Promise((done) => setTimeout(done, 20))
      left = this.leftOver()
    }
    if (left.length === 0) return
    state.unhandledErrors.push(
      new Error(
        `This file leaves open: ${left.join('; ')}\n` +
          'Close what it opened in afterAll or afterEach: clearTimeout, close(), stop(), drop().',
      ),
    )
  }

  /** Jest reads the timeout just after these events; those of a hook come with each of its runs. */
  giveTime(testOrHook, { testTimeout }) {
    if (this.givenTime.has(testOrHook)) return
    this.givenTime.add(testOrHook)
    testOrHook.timeout = (testOrHook.timeout ?? testTimeout) * TIMES_LONGER
  }

  async teardown() {
    this.hook?.disable()
    this.timers = []
    this.handlesBefore = new Set()
    await super.teardown()
  }

  leftOver() {
    const timers = this.timers.filter(isSet).map(({ timer, setHere }) => {
      const [at] = ownLines(setHere.stack)
      return at === undefined ? undefined : `a timer of ${timer._idleTimeout} ms (${at.trim()})`
    })
    const handles = process
      ._getActiveHandles()
      .filter((handle) => !this.handlesBefore.has(handle) && !isStandardStream(handle))
      .map(describe)
    return [...timers, ...handles].filter((one) => one !== undefined)
  }
}

function isSet({ timer }) {
  return !timer._destroyed && timer.hasRef()
}

/**
 * The first line that anybody prints opens these, whichever file it comes from; they belong to the
 * process.
 */
function isStandardStream(handle) {
  return handle === process.stdout || handle === process.stderr || [0, 1, 2].includes(handle.fd)
}

/** The stack lines of whoever set a timer: all but Node's and Jest's own. */
function ownLines(stack) {
  return stack
    .split('\n')
    .slice(1)
    .filter(
      (line) =>
        !/\(node:|at node:|jest-environment\.mjs|[/\\](@jest|jest|jest-[\w-]+)[/\\]/.test(line),
    )
}

function describe(handle) {
  const kind = handle.constructor?.name ?? 'handle'
  if (kind === 'ChildProcess') return `a process (${handle.spawnargs?.join(' ').slice(0, 100)})`
  const address = handle.listening === true ? handle.address?.() : undefined
  if (address !== undefined) return `a server on port ${address?.port ?? address}`
  if (handle.remotePort !== undefined) return `a socket to port ${handle.remotePort}`
  return `a ${kind}`
}
