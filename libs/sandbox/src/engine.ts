/**
 * QuickJS for one script at a time: each has a WebAssembly instance and a memory of its own, so
 * that what one does to its memory, a trap included, can't reach another's.
 *
 * - *Memory.* QuickJS's own limit counts 8 bytes an allocation, whatever its size
 *   (https://github.com/justjake/quickjs-emscripten/issues/271), so the limit is the memory's
 *   maximum. The engine wants 16 MiB to begin with, of which its stack and data take 5: the rest is
 *   taken up by a ballast that is never touched and so costs nothing. What a script uses is then
 *   what the memory grows by, and it can't grow by more than the limit.
 * - *Time.* QuickJS asks every 10,000 steps whether to go on. Loops inside a built-in function
 *   don't ask: whoever runs this thread has to end it from outside.
 *
 * A script sees the language and nothing else: no host function is defined. An instance that was
 * stopped at a limit is `spent`, and left to the garbage collector.
 *
 * Measured on 2 vCPU: 1.5 to 2.5 ms to make an instance with its context, 0.3 MB resident each
 * while it is small.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
  RELEASE_SYNC,
} from 'quickjs-emscripten'
import { describeThrown } from './describe-thrown.ts'
import { PRELUDE } from './prelude.ts'
import type { Limits } from './protocol.ts'

export type ScriptFailure =
  | { outcome: 'failed'; detail: string }
  | { outcome: 'spent'; of: 'time' | 'memory' | 'engine'; detail: string }

export type Called = { outcome: 'returned'; text: string } | ScriptFailure

export interface EngineScript {
  /** Calls `transform` with an event. `prelude.ts` says what it returns. */
  call(text: string, maxPayloadBytes: number): Called
  /** Bytes by which its memory has grown; it never shrinks. */
  grownBytes(): number
}

export type Loaded = { outcome: 'loaded'; script: EngineScript } | ScriptFailure

export interface Engine {
  load(source: string): Promise<Loaded>
}

const PAGE = 64 * 1024
/** The memory that the engine's binary asks for. */
const INITIAL_PAGES = 256
/**
 * Left free below the ballast: what a context needs next, so that a small script never grows its
 * memory.
 */
const ROOM_BYTES = 2 * PAGE
/** A piece that is too large is refused three times. */
const MAX_REFUSALS = 30
/**
 * Deep enough for any real recursion (some 1,000 calls), and far from the end of the thread's own
 * stack.
 */
const STACK_BYTES = 256 * 1024
/** The name in a stack, by which `describeThrown` finds the line. */
const FILE_NAME = 'transformation.js'
/**
 * A declaration may use any keyword, but only functions and `var`s become properties of the global
 * object.
 */
const FIND_TRANSFORM = `typeof transform === 'function' ? transform : undefined`

export async function createEngine(limits: Limits): Promise<Engine> {
  const path = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
  const wasmModule = await WebAssembly.compile(await readFile(path))
  return { load: (source) => load(wasmModule, limits, source) }
}

async function load(
  wasmModule: WebAssembly.Module,
  limits: Limits,
  source: string,
): Promise<Loaded> {
  const { memory, isExceeded, grownBytes } = createMemory(limits.memoryBytes)
  const variant = newVariant(RELEASE_SYNC, { wasmModule, wasmMemory: memory })
  const quickjs = await newQuickJSWASMModuleFromVariant(variant)
  const runtime = quickjs.newRuntime()
  runtime.setMaxStackSize(STACK_BYTES)
  const context = runtime.newContext()
  let deadline = Number.POSITIVE_INFINITY
  let interrupted = false
  runtime.setInterruptHandler(() => {
    interrupted = isExceeded() || cpuMs() > deadline
    return interrupted
  })
  const prepare = evaluated(context, PRELUDE, 'prelude.js')
  fillUp(quickjs)

  function guarded<Value>(work: () => Value): { outcome: 'done'; value: Value } | ScriptFailure {
    deadline = cpuMs() + limits.cpuMs
    interrupted = false
    try {
      const value = work()
      return isExceeded() ? outOfMemory(limits) : { outcome: 'done', value }
    } catch (error) {
      if (isExceeded()) return outOfMemory(limits)
      if (interrupted) return outOfTime(limits)
      if (error instanceof Thrown) return { outcome: 'failed', detail: error.message }
      // After a trap, or at the end of the thread's stack, its memory can be in any state.
      const { name, message } = error as Error
      return { outcome: 'spent', of: 'engine', detail: `the engine stopped: ${name}: ${message}` }
    }
  }

  const loading = guarded(() => {
    evaluated(context, source, FILE_NAME).dispose()
    const transform = evaluated(context, FIND_TRANSFORM, 'find.js')
    if (context.typeof(transform) !== 'function')
      throw new Thrown('it must define function transform(event)')
    return called(context, prepare, transform)
  })
  if (loading.outcome !== 'done') return loading

  function call(text: string, maxPayloadBytes: number): Called {
    const calling = guarded(() => {
      const event = context.newString(text)
      const value = called(context, run, event, context.newNumber(maxPayloadBytes))
      event.dispose()
      const returned = context.getString(value)
      value.dispose()
      return returned
    })
    return calling.outcome === 'done' ? { outcome: 'returned', text: calling.value } : calling
  }

  const run = loading.value
  return { outcome: 'loaded', script: { call, grownBytes } }
}

/** What a script threw, in words. */
class Thrown extends Error {}

function evaluated(context: QuickJSContext, source: string, name: string): QuickJSHandle {
  return valueOf(context, context.evalCode(source, name, { type: 'global' }))
}

function called(
  context: QuickJSContext,
  fn: QuickJSHandle,
  ...given: QuickJSHandle[]
): QuickJSHandle {
  return valueOf(context, context.callFunction(fn, context.undefined, ...given))
}

function valueOf(
  context: QuickJSContext,
  result: ReturnType<QuickJSContext['evalCode']>,
): QuickJSHandle {
  if (result.error === undefined) return result.value
  const error = result.error
  try {
    throw new Thrown(describeThrown(context, error, FILE_NAME))
  } finally {
    error.dispose()
  }
}

/**
 * The memory grows by steps that the engine chooses (5 % or more), so the last of them may go
 * unused. A script may catch that it was refused and go on with what it has. One that only asks
 * again is stopped for good, for each time costs 50 us and counts as one step: the engine looks at
 * `buffer` before it grows, and an error from there can't be caught.
 */
function createMemory(limitBytes: number): {
  memory: WebAssembly.Memory
  isExceeded(): boolean
  grownBytes(): number
} {
  const maximum = INITIAL_PAGES + Math.floor(limitBytes / PAGE)
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum })
  const grow = memory.grow.bind(memory)
  let { buffer } = memory
  let refusals = 0
  memory.grow = (pages: number): number => {
    refusals += 1
    const before = grow(pages)
    refusals = 0
    buffer = bufferOf(memory)
    return before
  }
  Object.defineProperty(memory, 'buffer', {
    get() {
      if (refusals > MAX_REFUSALS) throw new RangeError('out of memory')
      return buffer
    },
  })
  return {
    memory,
    // The engine asks for less when it is refused: only the last size counts.
    isExceeded: () => refusals > 0,
    grownBytes: () => buffer.byteLength - INITIAL_PAGES * PAGE,
  }
}

const bufferGetter = Object.getOwnPropertyDescriptor(WebAssembly.Memory.prototype, 'buffer')?.get

function bufferOf(memory: WebAssembly.Memory): ArrayBuffer {
  return bufferGetter?.call(memory) as ArrayBuffer
}

function fillUp(quickjs: QuickJSWASMModule): void {
  const { module } = quickjs as unknown as {
    module: { _malloc(bytes: number): number; _free(pointer: number): void }
  }
  const top = module._malloc(PAGE)
  module._free(top)
  module._malloc(INITIAL_PAGES * PAGE - top - ROOM_BYTES)
}

/**
 * Processor time of this thread: a machine that is busy with something else is not the script's
 * fault.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function outOfMemory({ memoryBytes }: Limits): ScriptFailure {
  const detail = `it used more than ${Math.round(memoryBytes / 1024 / 1024)} MiB of memory`
  return { outcome: 'spent', of: 'memory', detail }
}

function outOfTime({ cpuMs: ms }: Limits): ScriptFailure {
  return { outcome: 'spent', of: 'time', detail: `it ran for more than ${ms} ms` }
}
