/**
 * Bodies of the largest size that cost a careless parser most, whatever their signature says. For
 * tests.
 */
const MAX_BYTES = 1024 * 1024
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const XML = 'application/atom+xml; charset=utf-8'
const BOUNDARY = 'b0undary'

export interface HostileShape {
  readonly kind: 'many fields' | 'one name' | 'deep' | 'many keys' | 'XML' | 'multipart'
  readonly name: string
  readonly contentType: string
  readonly body: string
}

/** As many different pieces as fit. */
function filled(piece: (index: number) => string, between: string, around = ['', '']): string {
  const [before = '', after = ''] = around
  const pieces: string[] = []
  let length = before.length + after.length
  for (let index = 0; ; index += 1) {
    const next = piece(index)
    length += next.length + between.length
    if (length > MAX_BYTES) break
    pieces.push(next)
  }
  return before + pieces.join(between) + after
}

function repeated(piece: string, before = '', after = ''): string {
  const room = MAX_BYTES - before.length - after.length
  return before + piece.repeat(Math.floor(room / piece.length)) + after
}

const field = (name: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const name = (index: number): string => index.toString(36)
const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)

export const HOSTILE_SHAPES: readonly HostileShape[] = [
  {
    kind: 'many fields',
    name: 'many fields',
    contentType: FORM,
    body: filled((n) => `k${name(n)}=v`, '&'),
  },
  { kind: 'one name', name: 'one name repeated', contentType: FORM, body: repeated('a&') },
  { kind: 'deep', name: 'deep', contentType: JSON_TYPE, body: nested(170_000) },
  {
    kind: 'deep',
    name: 'deep in a field',
    contentType: FORM,
    body: `payload=${nested(120_000).replaceAll('"', '%22')}`,
  },
  { kind: 'deep', name: 'arrays that never end', contentType: JSON_TYPE, body: repeated('[') },
  {
    kind: 'many keys',
    name: 'many keys',
    contentType: JSON_TYPE,
    body: filled((n) => `"k${name(n)}":1`, ',', ['{', '}']),
  },
  {
    kind: 'many keys',
    name: 'many objects',
    contentType: JSON_TYPE,
    body: filled((n) => `{"k${name(n)}":1}`, ',', ['[', ']']),
  },
  {
    kind: 'many keys',
    name: 'many texts',
    contentType: JSON_TYPE,
    body: filled((n) => `"${name(n)}"`, ',', ['{"a":[', ']}']),
  },
  {
    kind: 'XML',
    name: 'XML: tags that never end',
    contentType: XML,
    body: repeated('<at:deleted-entry '),
  },
  {
    kind: 'XML',
    name: 'XML: in a field',
    contentType: FORM,
    body: `bt_signature=a|b&bt_payload=${Buffer.from('<timestamp'.repeat(78_000)).toString('base64')}`,
  },
  { kind: 'XML', name: 'XML: many entries', contentType: XML, body: repeated('<entry>') },
  {
    kind: 'multipart',
    name: 'multipart: many parts',
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    body: repeated(field('a', '1'), '', `--${BOUNDARY}--\r\n`),
  },
  {
    kind: 'multipart',
    name: 'multipart: many headers',
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    body: repeated('a: b\r\n', `--${BOUNDARY}\r\n`, `\r\n1\r\n--${BOUNDARY}--\r\n`),
  },
  {
    kind: 'multipart',
    name: 'multipart: boundaries that are none',
    contentType: `multipart/form-data; boundary=${'-'.repeat(70)}`,
    body: repeated('-'),
  },
  {
    kind: 'many keys',
    name: 'control characters',
    contentType: 'text/plain',
    body: repeated('\u0001'),
  },
]
