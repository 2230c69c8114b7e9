/** Bodies whose shape is hostile, each of the size that is asked for. */
import { randomBytes } from 'node:crypto'

export const MIB = 1024 * 1024

export interface Shape {
  name: string
  type: string
  body(bytes: number): Buffer
}

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** As many numbered parts as fit into so many bytes. */
function filled(bytes: number, part: (n: number) => string, between = ''): string {
  const parts: string[] = []
  for (let n = 0, size = 0; ; n += 1) {
    const next = part(n)
    size += next.length + between.length
    if (size > bytes) return parts.join(between)
    parts.push(next)
  }
}

export const SHAPES: readonly Shape[] = [
  {
    name: 'many fields',
    type: FORM,
    body: (bytes) => Buffer.from(filled(bytes, (n) => `${n.toString(36)}=`, '&')),
  },
  { name: 'one name', type: FORM, body: (bytes) => Buffer.from(filled(bytes, () => 'a', '&')) },
  {
    name: 'deep',
    type: JSON_TYPE,
    body: (bytes) => Buffer.from('{"a":'.repeat(bytes / 6) + '1' + '}'.repeat(bytes / 6)),
  },
  {
    name: 'many keys',
    type: JSON_TYPE,
    body: (bytes) => Buffer.from(`{${filled(bytes - 2, (n) => `"${n.toString(36)}":0`, ',')}}`),
  },
  {
    name: 'XML',
    type: 'application/xml',
    body: (bytes) => Buffer.from(`<feed>${'<at:deleted-entry <entry> <kind> '.repeat(bytes / 34)}`),
  },
  {
    name: 'multipart',
    type: 'multipart/form-data; boundary=b',
    body: (bytes) =>
      Buffer.from(
        `${filled(bytes - 8, () => '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n')}--b--\r\n`,
      ),
  },
  {
    name: 'multipart of almost boundaries',
    type: 'multipart/form-data; boundary=bbbbbbbbbbbbbbbbbbbb',
    body: (bytes) =>
      Buffer.from(`--bbbbbbbbbbbbbbbbbbbb\r\n${'\r\n--bbbbbbbbbbbbbbbbbbb'.repeat(bytes / 24)}`),
  },
  {
    name: 'spaces',
    type: JSON_TYPE,
    body: (bytes) => Buffer.from(`{"a":1${' '.repeat(bytes - 10)}x}`),
  },
  {
    name: 'escapes',
    type: JSON_TYPE,
    body: (bytes) => Buffer.from(`{"a":"${'\\u0041'.repeat(bytes / 6 - 4)}"}`),
  },
  { name: 'commas', type: 'text/plain', body: (bytes) => Buffer.from(','.repeat(bytes)) },
  { name: 'dots', type: 'application/jwt', body: (bytes) => Buffer.from('.'.repeat(bytes)) },
  { name: 'noise', type: 'application/octet-stream', body: (bytes) => randomBytes(bytes) },
]

/** Forged values for the headers in which a preset expects signatures. */
export function forgedHeaders(names: Iterable<string>, value: string): Record<string, string> {
  return Object.fromEntries([...names].map((name) => [name, value]))
}

export const FORGED_JWT = [
  Buffer.from('{"alg":"RS256","kid":"forged","typ":"JWT"}').toString('base64url'),
  Buffer.from('{"exp":4000000000}').toString('base64url'),
  'c2lnbmF0dXJl',
].join('.')
