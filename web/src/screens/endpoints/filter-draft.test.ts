/** What is typed as a value, and the condition that it means. */
import { expect, test } from '@jest/globals'
import type { FilterOperator } from '@posthorn/domain/filter'
import { conditionOf, draftOf } from './filter-draft.ts'

test.each<[FilterOperator, string, unknown]>([
  ['eq', 'EUR', 'EUR'],
  ['eq', '12', 12],
  ['eq', '"12"', '12'],
  ['eq', 'null', null],
  ['gte', ' 3750 ', 3750],
  ['startsWith', '12', '12'],
  ['regex', '[0-9]+', '[0-9]+'],
  ['in', 'EUR, USD', ['EUR', 'USD']],
  ['nin', '1, two', [1, 'two']],
  ['in', '["a, b"]', ['a, b']],
])('%s %s', (operator, text, value) => {
  const condition = conditionOf({ key: 1, field: '$.a', operator, text })
  expect(condition).toEqual({ field: '$.a', operator, value })
})

test.each<[FilterOperator, unknown]>([
  ['eq', 'EUR'],
  ['eq', 12],
  ['eq', '12'],
  ['eq', 'true'],
  ['eq', ' EUR '],
  ['eq', ''],
  ['eq', true],
  ['contains', '7'],
  ['startsWith', '12'],
  ['in', ['EUR', '12', 12]],
])('a condition that is opened and saved stays the same: %s %j', (operator, value) => {
  const condition = { field: '$.a', operator, value }
  expect(conditionOf(draftOf(condition))).toEqual(condition)
})
