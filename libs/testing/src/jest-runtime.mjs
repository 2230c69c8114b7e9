/**
 * Jest's runtime, but for one thing: test files, and all that they import, are Node's own modules.
 *
 * Jest loads every module anew for every test file, which took a third of the processor time of
 * `npm test`. Here a worker loads what is tested once for all its files, and runs it as Node runs
 * it in production. Test code itself (test files, fixtures, `tests/`, this package) is loaded anew
 * for each file, since it keeps state: a receiver, a database, hooks that it registers.
 */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { newId, setIdClock } from '@posthorn/domain/ids'
import JestRuntime from 'jest-runtime'

const JEST_GLOBALS = '@jest/globals'
const SCHEME = 'jest-globals:'
const GLOBALS = Symbol.for('posthorn.jest-globals')
const NAMES = [
  'afterAll',
  'afterEach',
  'beforeAll',
  'beforeEach',
  'describe',
  'expect',
  'jest',
  'test',
]
const ROOT = new URL('../../../', import.meta.url).href
const TEST_CODE =
  /^(?!.*node_modules\/).*(\.(test|fixture|signer|vectors|conformance)|(^|\/)tests\/.*|^libs\/testing\/.*)\.ts$/

/** Set while a file is loaded and run; a worker runs one file at a time. */
let current

// Where a module imports `@jest/globals`, it gets those of the file that it is loaded for.
registerHooks({
  resolve(specifier, context, next) {
    const [parent] = (context.parentURL ?? '').split('?')
    if (specifier === JEST_GLOBALS) {
      expectTestCode(parent, specifier)
      return { url: `${SCHEME}${current.number}`, format: 'module', shortCircuit: true }
    }
    const found = next(specifier, context)
    if (!isTestCode(found.url)) return found
    expectTestCode(parent, specifier)
    return { ...found, url: `${found.url}?${current.number}` }
  },
  load(url, context, next) {
    if (!url.startsWith(SCHEME)) return next(url, context)
    globalThis[GLOBALS] = current.globals
    const all = `globalThis[Symbol.for('${GLOBALS.description}')]`
    const source = `export const { ${NAMES.join(', ')} } = ${all}`
    return { format: 'module', source, shortCircuit: true }
  },
})

function isTestCode(url) {
  return url.startsWith(ROOT) && TEST_CODE.test(url.slice(ROOT.length))
}

/** What is loaded once would keep the test code of the first file that loads it. */
function expectTestCode(parent, specifier) {
  if (isTestCode(parent) || !parent.endsWith('.ts')) return
  throw new Error(
    `${parent} imports ${specifier}. To fix it: only test code may; put it into tests/ or name it .fixture.ts`,
  )
}

/**
 * The clock of ids may follow the database of an earlier file, and its last ids may have borrowed
 * from the future. An id far ahead makes the next one follow the clock again.
 */
function forgetIds() {
  setIdClock(() => Date.now() + 3_600_000)
  newId()
  setIdClock(() => Date.now())
}

export default class NativeModulesRuntime extends JestRuntime {
  async unstable_importModule(path) {
    current = { number: (current?.number ?? 0) + 1, globals: this.jestGlobals.cjsGlobals(path) }
    forgetIds()
    return await import(pathToFileURL(path).href)
  }
}
