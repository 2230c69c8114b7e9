/**
 * Payloads of a poll's answer as the bytes that were sent. Parsing would round large numbers and
 * change the spelling of others, and the application would verify a signature over a body that the
 * sender never wrote. So each payload is turned into a JSON string before the client parses the
 * answer.
 */

/** What stands between the client and the network. */
export function withPayloadTexts(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init)
    if (!response.ok || !isPoll(input)) return response
    const { status, headers } = response
    const kept = new Headers(headers)
    kept.delete('content-length')
    kept.delete('content-encoding')
    return new Response(quotePayloads(await response.text()), { status, headers: kept })
  }
}

function isPoll(input: string | URL | Request): boolean {
  const url = input instanceof Request ? input.url : input
  return new URL(url).pathname.endsWith('/api/v1/poll')
}

/** `{"events":[{…,"payload":{…}}]}` with each payload as a string that holds its text. */
export function quotePayloads(text: string): string {
  const out: string[] = []
  let copied = 0
  const cursor = createCursor(text)
  cursor.eachMember((key) => {
    if (key !== 'events') return cursor.skipValue()
    cursor.eachElement(() =>
      cursor.eachMember((name) => {
        const start = cursor.at()
        cursor.skipValue()
        if (name !== 'payload') return
        out.push(text.slice(copied, start), JSON.stringify(text.slice(start, cursor.at())))
        copied = cursor.at()
      }),
    )
  })
  out.push(text.slice(copied))
  return out.join('')
}

/** Goes over JSON that is known to be well formed, and says where its values begin and end. */
function createCursor(text: string) {
  let at = 0
  const blank = /[ \t\n\r]*/y
  const scalar = /[^\s,\]}]+/y

  function match(pattern: RegExp): string {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? ['']
    at += found.length
    return found
  }

  /** A text of megabytes is too much for a pattern. */
  function skipText(): string {
    const start = at
    do {
      at = text.indexOf('"', at + 1)
      if (at === -1) throw new SyntaxError('the answer of a poll ends in a text')
    } while (isEscaped(at))
    at += 1
    return text.slice(start, at)
  }

  function isEscaped(place: number): boolean {
    let slashes = 0
    while (text[place - 1 - slashes] === '\\') slashes += 1
    return slashes % 2 === 1
  }

  function expectOne(character: string): void {
    match(blank)
    if (text[at] !== character) throw new SyntaxError(`the answer of a poll is not JSON at ${at}`)
    at += 1
    match(blank)
  }

  /** Without recursion: a payload may be nested deeply. */
  function skipValue(): void {
    let depth = 0
    do {
      match(blank)
      const character = text[at]
      if (character === undefined) throw new SyntaxError('the answer of a poll ends early')
      if (character === '"') skipText()
      else if (character === '{' || character === '[') depth += 1
      else if (character === '}' || character === ']') depth -= 1
      if ('{}[],:'.includes(character)) at += 1
      else if (character !== '"') match(scalar)
    } while (depth > 0)
  }

  function each(open: string, close: string, visit: () => void): void {
    expectOne(open)
    while (text[at] !== close) {
      visit()
      match(blank)
      if (text[at] === ',') expectOne(',')
      else if (text[at] !== close) throw new SyntaxError(`the answer of a poll is cut at ${at}`)
    }
    at += 1
  }

  return {
    at: () => at,
    skipValue,
    eachElement: (visit: () => void) => each('[', ']', visit),
    eachMember: (visit: (key: string) => void) =>
      each('{', '}', () => {
        const key = JSON.parse(skipText()) as string
        expectOne(':')
        visit(key)
      }),
  }
}
