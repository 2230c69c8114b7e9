import { expect, test } from '@jest/globals'
import { tenant, usePortal } from '../portal.fixture.ts'

usePortal('for-all-tests')

const minimal = { url: 'https://shop.example/hook', eventTypes: ['order.*'] }
const GOOD = [
  { field: '$.amount', operator: 'gte', value: 100 },
  { field: "$['items'][*].sku", operator: 'in', value: ['a', 1, null] },
  { field: '$.headers.X-Shop', operator: 'regex', value: '^eu-[0-9]+$' },
  { field: '$.test', operator: 'exists', value: false },
]

test('a filter is kept as it was written, changed, emptied and removed', async () => {
  const created = await tenant.call('POST', '/endpoints', { ...minimal, filter: GOOD })
  expect(created).toMatchObject({ status: 201, body: { filter: GOOD } })
  const path = `/endpoints/${created.body.id}`
  expect((await tenant.call('GET', path)).body.filter).toEqual(GOOD)
  for (const filter of [GOOD.slice(1), [], null]) {
    const changed = await tenant.call('PATCH', path, { filter })
    expect(changed).toMatchObject({ status: 200, body: { filter } })
  }
  expect((await tenant.call('GET', path)).body).toMatchObject({ filter: null, version: 4 })
})

const field = '$.a'
test.each([
  [{ field: 'a', operator: 'eq', value: 1 }, ['field']],
  [{ field: '', operator: 'eq', value: 1 }, ['field']],
  [{ field: '$..a', operator: 'eq', value: 1 }, ['field']],
  [{ field: '$[?(@.a)]', operator: 'eq', value: 1 }, ['field']],
  [{ field: '$[(process.exit())]', operator: 'eq', value: 1 }, ['field']],
  [{ field: `$.${'a'.repeat(500)}`, operator: 'eq', value: 1 }, ['field']],
  [{ field, operator: 'like', value: 1 }, ['operator']],
  [{ field, operator: 'constructor', value: 1 }, ['operator']],
  [{ field, operator: 'gt', value: '1' }, ['value']],
  [{ field, operator: 'in', value: 'a' }, ['value']],
  [{ field, operator: 'nin', value: Array.from({ length: 101 }, () => 1) }, ['value']],
  [{ field, operator: 'startsWith', value: 1 }, ['value']],
  [{ field, operator: 'exists', value: 'true' }, ['value']],
  [{ field, operator: 'regex', value: '(' }, ['value']],
  [{ field, operator: 'regex', value: '(?=a)' }, ['value']],
  [{ field, operator: 'eq' }, ['value']],
  [{ field, operator: 'eq', value: 1, flags: 'i' }, ['flags']],
  [{ field: 'a', operator: 'regex', value: '(' }, ['field', 'value']],
])('%j is refused, and its part named', async (condition, parts) => {
  for (const [filter, index] of [
    [[condition], 0],
    [[...GOOD, condition], GOOD.length],
  ] as const) {
    const answer = await tenant.call('POST', '/endpoints', { ...minimal, filter })
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    const paths = answer.body.details.map(({ path }: { path: string }) => path)
    expect(paths).toEqual(parts.map((part) => `filter.${index}.${part}`))
  }
})

test('a refused change leaves the endpoint as it was, and another change is accepted', async () => {
  const { id } = (await tenant.call('POST', '/endpoints', { ...minimal, filter: GOOD })).body
  const filter = [{ field: '$..a', operator: 'eq', value: 1 }]
  const refused = await tenant.call('PATCH', `/endpoints/${id}`, { filter })
  expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  expect(refused.body.error).toBe(
    'filter.0.field: has "..", which is not supported: name each member on the way',
  )
  const changed = await tenant.call('PATCH', `/endpoints/${id}`, { timeoutMs: 100 })
  expect(changed).toMatchObject({ status: 200, body: { filter: GOOD, version: 2 } })
})

test('twenty conditions are accepted, one more is not', async () => {
  const many = (count: number) => Array.from({ length: count }, () => GOOD[0])
  const post = async (count: number) =>
    await tenant.call('POST', '/endpoints', { ...minimal, filter: many(count) })
  expect((await post(20)).status).toBe(201)
  expect(await post(21)).toMatchObject({ status: 400, body: { details: [{ path: 'filter' }] } })
})
