/** Names, comments and fields as Go and gofmt write them: `endpoint_id` is `EndpointID`. */

const INITIALISMS: ReadonlySet<string> = new Set(
  (
    'acs api cidr cpu dns fifo http https id idp ip json mfa mtls oidc pem saml scim sla smtp sp sql ' +
    'sso tls ttl uri url utf8 uuid xml'
  ).split(' '),
)

/** The name of a type, a field or a method. */
export function exported(name: string): string {
  return wordsOf(name).map(capitalized).join('')
}

/** The name of a parameter. */
export function unexported(name: string): string {
  const [first = '', ...rest] = wordsOf(name)
  return first.toLowerCase() + rest.map(capitalized).join('')
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
}

function capitalized(word: string): string {
  const lower = word.toLowerCase()
  if (INITIALISMS.has(lower)) return lower.toUpperCase()
  const singular = lower.slice(0, -1)
  if (lower.endsWith('s') && INITIALISMS.has(singular)) return `${singular.toUpperCase()}s`
  return word.charAt(0).toUpperCase() + word.slice(1)
}

export function singularOf(name: string): string {
  return name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/([^s])s$/, '$1')
}

/** A comment, wrapped as gofmt leaves it. */
export function comment(text: string, indent = ''): string {
  const lines: string[] = []
  let line = `${indent}//`
  for (const word of text.split(/\s+/)) {
    if (line.length + word.length + 1 > MAX_COLUMNS && line.trim() !== '//') {
      lines.push(line)
      line = `${indent}//`
    }
    line += ` ${word}`
  }
  return `${[...lines, line].join('\n')}\n`
}

const MAX_COLUMNS = 97

export interface GoField {
  name: string
  type: string
  tag: string
  comment: string
}

/** gofmt aligns fields that follow each other without a comment between them. */
export function alignedFields(fields: readonly GoField[]): string {
  const runs: GoField[][] = []
  for (const field of fields) {
    const last = runs.at(-1)
    if (last === undefined || field.comment !== '') runs.push([field])
    else last.push(field)
  }
  return runs.map(alignedRun).join('')
}

function alignedRun(run: readonly GoField[]): string {
  const nameWidth = Math.max(...run.map(({ name }) => name.length))
  const typeWidth = Math.max(...run.map(({ type }) => type.length))
  const lines = run.map(
    ({ name, type, tag }) =>
      `${`\t${name.padEnd(nameWidth)} ${type.padEnd(typeWidth)} ${tag}`.trimEnd()}\n`,
  )
  return (run[0]?.comment ?? '') + lines.join('')
}
