/**
 * Splits SQL into its statements, each without comments. It knows strings, quoted names and
 * dollar-quoted bodies, in which a semicolon ends nothing; nested comments it does not know.
 */

const TOKEN =
  /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\1\$|;|[^-/'"$;]+|[^]/g

export function statementsOf(sql: string): string[] {
  const statements = ['']
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ';') statements.push('')
    else if (token.startsWith('--') || token.startsWith('/*'))
      statements[statements.length - 1] += ' '
    else statements[statements.length - 1] += token
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}

/** The parts of a text between the commas that stand in no parentheses and no string. */
export function topLevelParts(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of text.matchAll(/'(?:[^']|'')*'|[(),]|[^'(),]+|[^]/g)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts.map((part) => part.trim())
}
