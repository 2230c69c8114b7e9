/**
 * Where somebody goes after signing in: a path of our own. `return` and SAML's RelayState come from
 * anybody's link, so whatever a browser could take for another site is dropped.
 */

export const DEFAULT_RETURN_PATH = '/'
const MAX_CHARACTERS = 1_024
/** Any origin serves: it is only to be seen whether the path stays on it. */
const ORIGIN = 'https://return.invalid'

/** The path, query and fragment of `text`, as a browser would go there; `/` for anything else. */
export function returnPath(text: string | undefined): string {
  // Browsers drop tabs and line breaks, and read a backslash as a slash.
  if (text === undefined || text.length > MAX_CHARACTERS || !/^\/[\x21-\x7e]*$/.test(text)) {
    return DEFAULT_RETURN_PATH
  }
  const url = URL.parse(text, ORIGIN)
  if (url === null || url.origin !== ORIGIN) return DEFAULT_RETURN_PATH
  const path = url.pathname + url.search + url.hash
  // `/.//evil` is a path of ours that is another site's once its dots are resolved.
  return /^\/(?![/\\])/.test(path) ? path : DEFAULT_RETURN_PATH
}

/** The page that tells why somebody could not sign in. */
export function loginErrorPath(code: string): string {
  return `/login?error=${encodeURIComponent(code)}`
}
