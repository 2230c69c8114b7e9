/**
 * Describes what a script threw, as one line for its owner. The thrown value is the script's: it
 * may be anything, have getters that throw or loop, and a message of megabytes.
 */
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten'

const MAX_CHARACTERS = 500

export function describeThrown(
  context: QuickJSContext,
  thrown: QuickJSHandle,
  fileName: string,
): string {
  const what =
    context.typeof(thrown) === 'object'
      ? describeObject(context, thrown, fileName)
      : `${textOf(context, thrown)} was thrown`
  return what.slice(0, MAX_CHARACTERS).toWellFormed()
}

function describeObject(context: QuickJSContext, thrown: QuickJSHandle, fileName: string): string {
  const name = property(context, thrown, 'name')
  const message = property(context, thrown, 'message')
  if (name === '' && message === '') return 'an object that is no Error was thrown'
  const line = new RegExp(`${fileName}:(\\d+)`).exec(property(context, thrown, 'stack'))?.[1]
  const head = [name, message].filter((part) => part !== '').join(': ')
  return line === undefined ? head : `${head.slice(0, MAX_CHARACTERS - 20)} (line ${line})`
}

function property(context: QuickJSContext, thrown: QuickJSHandle, name: string): string {
  const value = context.getProp(thrown, name)
  try {
    return context.typeof(value) === 'string' ? textOf(context, value) : ''
  } finally {
    value.dispose()
  }
}

function textOf(context: QuickJSContext, value: QuickJSHandle): string {
  const type = context.typeof(value)
  if (type === 'string') return context.getString(value)
  return type === 'number' ? String(context.getNumber(value)) : `a ${type}`
}
