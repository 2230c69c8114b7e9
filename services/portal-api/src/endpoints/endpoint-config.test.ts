import { expect, test } from '@jest/globals'
import { ENDPOINT_DEFAULTS } from '@posthorn/contracts/endpoints'
import {
  changedFields,
  configProblems,
  initialFields,
  mergeConfig,
  newConfig,
} from './endpoint-config.ts'

const body = { url: 'https://a.example/hook', eventTypes: ['a.*'] }
const base = newConfig(body)
const anyCidr = (): boolean => true

test('what a body leaves out has its default', () => {
  expect(base).toEqual({ ...ENDPOINT_DEFAULTS, ...body })
  expect(newConfig({ ...body, maxRetries: 2, description: undefined }).maxRetries).toBe(2)
  expect(initialFields(newConfig({ ...body, maxRetries: 2 }))).toEqual([
    'maxRetries',
    'url',
    'eventTypes',
  ])
})

test('both spellings of the ranges are one field, and the secret is none', () => {
  const merged = mergeConfig(base, {
    allowedCIDRs: ['10.0.0.0/8'],
    blockedCidrs: ['10.1.0.0/16'],
    signingSecret: 'x'.repeat(16),
  })
  expect(merged).toEqual({ ...base, allowedCidrs: ['10.0.0.0/8'], blockedCidrs: ['10.1.0.0/16'] })
})

test('null empties, undefined leaves', () => {
  const set = mergeConfig(base, { description: 'd', customHeaders: { A: '1' } })
  expect(mergeConfig(set, { description: null, customHeaders: undefined })).toEqual({
    ...set,
    description: null,
  })
})

test('a change is one of values, not of spelling', () => {
  const set = mergeConfig(base, { customHeaders: { A: '1', B: '2' } })
  expect(changedFields(set, mergeConfig(set, { customHeaders: { B: '2', A: '1' } }))).toEqual([])
  expect(changedFields(set, mergeConfig(set, { eventTypes: ['b'], timeoutMs: 100 }))).toEqual([
    'timeoutMs',
    'eventTypes',
  ])
})

test('back-offs are compared after merging', () => {
  const patch = { retryBackoffMax: 500 }
  expect(configProblems(mergeConfig(base, patch), patch, anyCidr)).toEqual([
    { path: 'retryBackoffMax', message: 'must be at least retryBackoffMs (1000)' },
  ])
  const both = { retryBackoffMax: 500, retryBackoffMs: 500 }
  expect(configProblems(mergeConfig(base, both), both, anyCidr)).toEqual([])
})

test('a wrong range is named as the body spelled it', () => {
  const patch = { allowedCIDRs: ['ok', 'no'], blockedCidrs: ['no'] }
  const problems = configProblems(mergeConfig(base, patch), patch, (text) => text === 'ok')
  expect(problems.map(({ path }) => path)).toEqual(['allowedCIDRs.1', 'blockedCidrs.0'])
})

test('a wrong condition is named by its number and part, and only the body’s filter is checked', () => {
  const filter = [
    { field: '$.a', operator: 'eq' as const, value: 1 },
    { field: '$..a', operator: 'gt' as const, value: 'x' },
  ]
  const merged = mergeConfig(base, { filter })
  const problems = configProblems(merged, { filter }, anyCidr)
  expect(problems.map(({ path }) => path)).toEqual(['filter.1.field', 'filter.1.value'])
  expect(configProblems(merged, { timeoutMs: 100 }, anyCidr)).toEqual([])
  expect(configProblems(base, { filter: null }, anyCidr)).toEqual([])
  expect(configProblems(base, { filter: [] }, anyCidr)).toEqual([])
})

test('a partition key that is no path is named, and only where it is written', () => {
  const patch = { fifo: true, fifoPartitionKey: 'customer' }
  const merged = mergeConfig(base, patch)
  expect(configProblems(merged, patch, anyCidr)).toEqual([
    { path: 'fifoPartitionKey', message: expect.stringContaining('must begin with $') },
  ])
  expect(configProblems(merged, { timeoutMs: 100 }, anyCidr)).toEqual([])
  expect(configProblems(base, { fifoPartitionKey: '$.customer.id' }, anyCidr)).toEqual([])
  expect(configProblems(base, { fifoPartitionKey: null }, anyCidr)).toEqual([])
})
