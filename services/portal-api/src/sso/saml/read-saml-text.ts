/**
 * Refuses XML by its text, before any parser sees it: document types, processing instructions,
 * comments and everything else that begins with `<!`, which no identity provider needs and which
 * parsers disagree about. It also bounds the number of tags, because the cost of the libraries that
 * follow is quadratic in it: 20,000 empty elements were measured at 835 ms.
 */
export type SamlText = { outcome: 'ok'; xml: string } | { outcome: 'refused'; reason: string }

/** A response with 500 groups has 1,100. */
const MAX_TAGS = 4_000
/** The metadata of one provider has hundreds; that of a federation is of no use here. */
const MAX_METADATA_TAGS = 8_000
export const MAX_METADATA_CHARACTERS = 256 * 1024

const DECLARATION = /^\uFEFF?\s*<\?xml[ \t\r\n][^<>?]{0,200}\?>/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const decoder = new TextDecoder('utf-8', { fatal: true })

/** @param given the form field `SAMLResponse` */
export function readSamlResponse(given: string): SamlText {
  const base64 = given.replaceAll(/[\r\n\t ]/g, '')
  if (!BASE64.test(base64)) return refused('the response is not base64')
  try {
    return checkText(decoder.decode(Buffer.from(base64, 'base64')), MAX_TAGS)
  } catch {
    return refused('the response is not UTF-8')
  }
}

export function readSamlMetadata(xml: string): SamlText {
  if (xml.length > MAX_METADATA_CHARACTERS)
    return refused(`the metadata has more than ${MAX_METADATA_CHARACTERS} characters`)
  // Providers sign and comment their metadata; what is commented out means nothing.
  return checkText(xml.replaceAll(/<!--(?:(?!--)[^])*-->/g, ''), MAX_METADATA_TAGS)
}

function checkText(text: string, maxTags: number): SamlText {
  const declaration = DECLARATION.exec(text)?.[0] ?? ''
  const encoding = /encoding\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(encoding)) return refused(`the XML is in ${encoding}, not in UTF-8`)
  const xml = text.slice(declaration.length)
  let tags = 0
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at + 1)) {
    const next = xml[at + 1]
    if (next === '!') return refused('the XML has a document type, a comment or CDATA')
    if (next === '?') return refused('the XML has a processing instruction')
    tags += 1
    if (tags > maxTags) return refused(`the XML has more than ${maxTags} tags`)
  }
  if (tags === 0) return refused('there is no XML')
  return { outcome: 'ok', xml: xml.trim() }
}

function refused(reason: string): SamlText {
  return { outcome: 'refused', reason }
}
