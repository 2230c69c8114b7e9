/**
 * The code between `transform` and us, inside the script's own context. It runs before the script
 * and keeps the built-in functions that it needs, so that a script can spoil nothing but its own
 * result, which is checked again outside. The answer is text: JSON of the result, or a `!` and what
 * is wrong with it.
 */
export const PRELUDE = `(() => {
  'use strict'
  const { parse, stringify } = JSON
  const { isArray } = Array
  const kindOf = (value) => {
    if (value === null) return 'null'
    if (isArray(value)) return 'an array'
    return typeof value === 'object' ? 'an object' : typeof value
  }
  return (transform) => (text, maxPayload) => {
    const result = transform(parse(text))
    if (result === null) return 'null'
    if (typeof result !== 'object' || isArray(result))
      return '!transform returned ' + kindOf(result) + '; it must return {payload, headers}, or null to drop the delivery'
    if (typeof result.then === 'function')
      return '!transform returned a promise; it must not be async'
    const answer = stringify(result)
    if (typeof answer !== 'string') return '!what transform returned is no JSON'
    if (answer.length > maxPayload + 65536) return '!what transform returned is larger than ' + maxPayload + ' bytes'
    return answer
  }
})()`
