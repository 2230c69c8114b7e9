/**
 * Reads the body of a form (`application/x-www-form-urlencoded`) into texts by name, for the schema
 * of its route.
 */
import { ApiError } from '@posthorn/contracts/errors'

/** Forms of identity providers have three fields. */
const MAX_FIELDS = 20

export function parseForm(text: string): Record<string, unknown> {
  // It has no prototype, so that a field called `constructor` is only that.
  const fields: Record<string, unknown> = Object.create(null)
  let count = 0
  for (const pair of text.split('&', MAX_FIELDS + 1)) {
    if (pair === '') continue
    count += 1
    if (count > MAX_FIELDS) {
      throw new ApiError('BAD_REQUEST', `the form has more than ${MAX_FIELDS} fields`)
    }
    const at = pair.indexOf('=')
    const name = decode(at === -1 ? pair : pair.slice(0, at))
    if (name in fields) throw new ApiError('BAD_REQUEST', `the form has the field ${name} twice`)
    fields[name] = at === -1 ? '' : decode(pair.slice(at + 1))
  }
  return { ...fields }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw new ApiError('BAD_REQUEST', 'the form is not valid percent-encoding', { cause })
  }
}
