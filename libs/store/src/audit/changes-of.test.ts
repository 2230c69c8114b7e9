import { expect, test } from '@jest/globals'
import { changesOf, secretHintOf, urlHintOf } from './changes-of.ts'

test('only fields that differ are told, whatever the order of their keys', () => {
  const before = { id: 1, name: 'a', on: { x: 1, y: [1, 2] }, updatedAt: 'then' }
  const after = { id: 2, on: { y: [1, 2], x: 1 }, name: 'b', updatedAt: 'now' }
  expect(changesOf(before, after)).toEqual([{ field: 'name', from: 'a', to: 'b' }])
})

test('what is made or removed has its values on one side', () => {
  const record = { id: 1, name: 'a', description: null }
  expect(changesOf(null, record)).toEqual([{ field: 'name', from: null, to: 'a' }])
  expect(changesOf(record, null)).toEqual([{ field: 'name', from: 'a', to: null }])
})

test('a field with a hint counts by its value and is shown by the hint', () => {
  const [before, after] = [{ key: 'first-secret-of-all-1234' }, { key: 'other-secret-of-all-1234' }]
  expect(changesOf(before, after, { key: secretHintOf })).toEqual([
    { field: 'key', from: '…1234', to: '…1234' },
  ])
})

test.each([
  [null, null],
  ['short', '…'],
  ['fifteen-letters', '…'],
  ['sixteen-letters!', '…ers!'],
  [{ a: 'secret' }, '…'],
])('a secret is hinted at: %j', (secret, hint) => {
  expect(secretHintOf(secret)).toBe(hint)
})

test.each([
  [null, null],
  ['https://shop.example/hook', 'https://shop.example/hook'],
  ['https://user:pass@shop.example:8443/hook?token=secret#x', 'https://shop.example:8443/hook?…'],
  ['no URL with a secret', '…'],
])('a URL is told without user and query: %j', (url, hint) => {
  expect(urlHintOf(url)).toBe(hint)
})
