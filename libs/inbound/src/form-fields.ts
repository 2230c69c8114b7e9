/**
 * The bound on the fields of a form from outside: platforms send a few dozen, and PHP takes 1,000,
 * too. Whatever is done with this many fields (sorting, joining, making an object) is quick.
 */
export const MAX_FIELDS = 1_000

const AMPERSAND = 0x26

export function isForm(contentType: string): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(contentType)
}

/**
 * Fields are counted before the form is parsed, for URLSearchParams takes two seconds for a
 * megabyte of `a&a&a`.
 */
export function hasTooManyFields(body: Buffer): boolean {
  let fields = 1
  for (let at = body.indexOf(AMPERSAND); at !== -1; at = body.indexOf(AMPERSAND, at + 1)) {
    fields += 1
    if (fields > MAX_FIELDS) return true
  }
  return false
}
