import { expect, test } from '@jest/globals'
import { createInterimResponses } from './interim-responses.ts'

const final = 'HTTP/1.1 200 OK\r\nx: HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'

function pass(pieces: string[]): string {
  const interim = createInterimResponses()
  interim.begin()
  const chunks = pieces.map((piece) => Buffer.from(piece))
  for (const chunk of chunks) interim.pass(chunk)
  return Buffer.concat(chunks).toString()
}

test('100 becomes 102, others and the final response stay', () => {
  const interims = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
  expect(pass([interims + interims + final])).toBe(
    (interims + interims).replaceAll('100 C', '102 C') + final,
  )
})

test('wherever the bytes are cut', () => {
  const stream = `HTTP/1.1 100 Continue\r\na: b\r\n\r\n${final}`
  const expected = stream.replace('100 C', '102 C')
  expect(pass(stream.split(''))).toBe(expected)
  for (let at = 1; at < stream.length; at++) {
    expect(pass([stream.slice(0, at), stream.slice(at)])).toBe(expected)
  }
})

test('each request begins anew', () => {
  const interim = createInterimResponses()
  for (let request = 0; request < 2; request++) {
    interim.begin()
    const chunk = Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${final}`)
    interim.pass(chunk)
    expect(chunk.toString()).toBe(`HTTP/1.1 102 Continue\r\n\r\n${final}`)
  }
})

test('what is no HTTP passes as it is', () => {
  expect(pass(['', '\0\r\n\r\n\r\n', 'SSH-2.0-OpenSSH_9.2\r\n'])).toBe(
    '\0\r\n\r\n\r\nSSH-2.0-OpenSSH_9.2\r\n',
  )
})
