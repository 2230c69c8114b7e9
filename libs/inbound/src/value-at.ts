/** The places of a request, or of an endpoint's configuration, that rules name. */

/**
 * Where a value stands. Of a header that is sent several times the first one counts, unless it may
 * be `repeated`.
 */
export type ValueAt =
  | { readonly header: string; readonly repeated?: true }
  /** The header whose name the user has configured, or else this one. */
  | { readonly headerNamedBy: string; readonly or?: string }
  /** Any of the headers `Name-1`, `Name-2`, …. */
  | { readonly numberedHeader: string }
  | { readonly query: string }
  /** The query parameter whose name the user has configured, or else this one. */
  | { readonly queryNamedBy: string; readonly or: string }
  | { readonly form: string }
  /** A JSONPath into the body. Where it matches several values, every one of them must be right. */
  | { readonly json: string }
  /** The member of the body whose name the user has configured. */
  | { readonly memberNamedBy: string }
  | { readonly config: string }
  | { readonly wholeBody: true }
