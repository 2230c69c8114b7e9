import { expect, test } from '@jest/globals'
import { ENDPOINT_DEFAULTS, type EndpointConfig } from '@posthorn/contracts/endpoints'
import { diffConfigs } from './diff-configs.ts'

const base: EndpointConfig = {
  ...ENDPOINT_DEFAULTS,
  url: 'https://a.example/',
  eventTypes: ['a.*'],
}

test('of equal ones nothing differs', () => {
  expect(diffConfigs(base, { ...base, eventTypes: ['a.*'] })).toEqual([])
})

test('each field that differs has both values, whole', () => {
  const to: EndpointConfig = {
    ...base,
    eventTypes: ['a.*', 'b'],
    timeoutMs: 1_000,
    customHeaders: { A: '1' },
  }
  expect(diffConfigs(base, to)).toEqual([
    { field: 'eventTypes', from: ['a.*'], to: ['a.*', 'b'] },
    { field: 'timeoutMs', from: 30_000, to: 1_000 },
    { field: 'customHeaders', from: null, to: { A: '1' } },
  ])
  expect(diffConfigs(to, base).map(({ field }) => field)).toEqual(
    diffConfigs(base, to).map(({ field }) => field),
  )
})
