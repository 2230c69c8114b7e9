import { expect, test } from '@jest/globals'
import { MAX_FIELDS } from './form-fields.ts'
import { readMultipart } from './multipart.ts'

const type = (boundary: string) => `multipart/form-data; boundary=${boundary}`
const part = (head: string, content: string, boundary = 'b') =>
  `--${boundary}\r\n${head}\r\n\r\n${content}\r\n`
const named = (name: string) => `Content-Disposition: form-data; name="${name}"`

async function fieldsOf(body: string | Buffer, boundary = 'b') {
  const read = await readMultipart(type(boundary), Buffer.from(body as string))
  return read.outcome === 'ok' ? read.fields : read.outcome
}

test('reads what a standard client writes, and only the name of a file', async () => {
  const form = new FormData()
  form.append('text', 'ü\r\n--not it\r\n')
  form.append('a "name"\r\n', '')
  form.append('text', 'again')
  form.append('file', new File(['content'], 'its "name".png'))
  const request = new Response(form)
  const contentType = request.headers.get('content-type') as string
  const read = await readMultipart(contentType, Buffer.from(await request.arrayBuffer()))
  expect(read).toEqual({
    outcome: 'ok',
    fields: [
      ['text', 'ü\r\n--not it\r\n'],
      ['a "name"\r\n', ''],
      ['text', 'again'],
      ['file', 'its "name".png'],
    ],
  })
})

test('takes a preamble, other headers, unquoted names and base64', async () => {
  const plain = part(
    'X: y\r\ncontent-disposition:form-data;name=a\r\nContent-Type: text/plain',
    '1',
  )
  const base64 = part(`${named('b')}\r\nContent-Transfer-Encoding: base64`, 'aGVsbG8=')
  const fields = [
    ['a', '1'],
    ['b', 'hello'],
  ]
  expect(await fieldsOf(`preamble\r\n${plain}${base64}--b--`)).toEqual(fields)
  expect(await fieldsOf(`${plain}${base64}--b--\r\nepilogue`)).toEqual(fields)
  expect(await readMultipart('multipart/form-data; boundary="b"', Buffer.from('--b--'))).toEqual({
    outcome: 'ok',
    fields: [],
  })
})

test('tells that a body is malformed which is no such form', async () => {
  const whole = `${part(named('a'), '1')}--b--`
  for (const body of ['', 'x', whole.slice(0, -4), '--b\r\nno head\r\n--b--', part('A: b', '1')])
    expect(await fieldsOf(body)).toBe('malformed')
  expect(await fieldsOf(part('Content-Disposition: form-data', '1') + '--b--')).toBe('malformed')
  expect(await fieldsOf(part(`X: ${'y'.repeat(9_000)}\r\n${named('a')}`, '1') + '--b--')).toBe(
    'malformed',
  )
  expect(await readMultipart('multipart/form-data', Buffer.from(whole))).toEqual({
    outcome: 'malformed',
  })
})

test('has a bound on its fields', async () => {
  const body = (fields: number) => `${part(named('a'), '1').repeat(fields)}--b--`
  expect(await fieldsOf(body(MAX_FIELDS))).toHaveLength(MAX_FIELDS)
  expect(await fieldsOf(body(MAX_FIELDS + 1))).toBe('too_many_fields')
})
