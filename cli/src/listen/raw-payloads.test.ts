import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { quotePayloads } from './raw-payloads.ts'

function pollAnswer(payloads: readonly string[]): string {
  const events = payloads.map(
    (payload, n) => `{"id":"${n}","eventType":null,"payload":${payload},"headers":{"payload":"h"}}`,
  )
  return `{"events":[${events.join(',')}],"count":${payloads.length}}`
}

function textsIn(answer: string): string[] {
  const { events } = JSON.parse(quotePayloads(answer)) as { events: { payload: string }[] }
  return events.map(({ payload }) => payload)
}

test('payloads come out as they were written', () => {
  const payloads = [
    '{"big":12345678901234567890,"one":1.0}',
    '{ "a" : [ 1 , {"b":"]}\\"" } ] }',
    '{"payload":{"payload":"\\\\"}}',
    '{}',
  ]
  expect(textsIn(pollAnswer(payloads))).toEqual(payloads)
  expect(textsIn(pollAnswer([]))).toEqual([])
  const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  expect(textsIn(pollAnswer([deep]))).toEqual([deep])
})

test('whatever the payloads are, each is its own text', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue())
  fc.assert(
    fc.property(fc.array(object, { maxLength: 5 }), fc.nat(2), (values, indent) => {
      const payloads = values.map((value) => JSON.stringify(value, null, indent))
      expect(textsIn(pollAnswer(payloads))).toEqual(payloads)
    }),
  )
})

test('an answer that is cut off is an error', () => {
  const whole = pollAnswer(['{"a":"b"}'])
  for (let length = 1; length < whole.length; length += 1)
    expect(() => quotePayloads(whole.slice(0, length))).toThrow(SyntaxError)
})
