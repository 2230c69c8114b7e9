/**
 * Forms from outside, with a bound on their fields: a platform's have a few dozen, and 1,000 are what PHP takes, too.
 * Below it everything that is done with fields (sorted, glued, put into an object) is small.
 */
export const MAX_FIELDS = 1_000

const AMPERSAND = 0x26

export function isForm(contentType: string): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(contentType)
}

/** Counted before they are parsed, for URLSearchParams takes two seconds for a megabyte of `a&a&a`. */
export function hasTooManyFields(body: Buffer): boolean {
  let fields = 1
  for (let at = body.indexOf(AMPERSAND); at !== -1; at = body.indexOf(AMPERSAND, at + 1)) {
    fields += 1
    if (fields > MAX_FIELDS) return true
  }
  return false
}
