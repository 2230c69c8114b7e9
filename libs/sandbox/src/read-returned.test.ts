import { describe, expect, test } from '@jest/globals'
import { readReturned } from './read-returned.ts'

const read = (text: string, original = '{"n":1}') => readReturned(text, original, 100)
const error = (text: string): string => {
  const answer = read(text)
  return answer.outcome === 'error' ? answer.detail : `no error but ${answer.outcome}`
}

describe('what transform returned', () => {
  test('is taken as it was written', () => {
    const text = '{"headers":{"X-A":"1"},"payload":{"b":"\\u00e9","a":[1, 2]}}'
    expect(read(text)).toEqual({
      outcome: 'changed',
      payload: '{"b":"\\u00e9","a":[1, 2]}',
      headers: '{"X-A":"1"}',
    })
    expect(read('{"payload":[1]}')).toEqual({ outcome: 'changed', payload: '[1]', headers: null })
  })

  test('leaves what it does not name', () => {
    for (const text of ['{}', '{"headers":null}'])
      expect(read(text)).toEqual({ outcome: 'changed', payload: null, headers: null })
  })

  test('leaves the sender’s spelling where nothing else differs', () => {
    const original = '{ "b": 1.0, "a": "\\u00e9", "big": 12345678901234567890 }'
    const same = JSON.stringify({ payload: JSON.parse(original) })
    expect(read(same, original)).toMatchObject({ payload: null })
    expect(read('{"payload":{"n":2}}')).toMatchObject({ payload: '{"n":2}' })
  })

  test('drops the delivery when it is null', () => {
    expect(read('null')).toEqual({ outcome: 'dropped' })
  })

  test.each([
    ['!it is a promise', 'it is a promise'],
    ['[]', 'what transform returned is no object'],
    ['5', 'what transform returned is no object'],
    ['{"url":"https://x.example"}', 'transform returned a url'],
    ['{"id":"x","payload":{}}', 'transform returned a field "id"'],
    ['{"payload":5}', 'payload must be an object or an array'],
    ['{"payload":null}', 'payload must be an object or an array'],
    ['{"headers":[]}', 'headers must be an object'],
    ['{"headers":"X"}', 'headers must be an object'],
    [JSON.stringify({ payload: { a: 'x'.repeat(100) } }), 'payload is larger than 100 bytes'],
    [JSON.stringify({ payload: { a: 'é'.repeat(50) } }), 'payload is larger than 100 bytes'],
    [JSON.stringify({ headers: { a: 'x'.repeat(21_000) } }), 'headers are too large'],
    [JSON.stringify({ ['k'.repeat(5_000)]: 1 }), `transform returned a field "${'k'.repeat(50)}"`],
  ])('is refused: %.40s', (text, detail) => {
    expect(error(text)).toContain(detail)
    expect(error(text).length).toBeLessThan(200)
  })
})
