import { expect, test } from '@jest/globals'
import { type Condition, compileFilter } from '@posthorn/domain/filter'
import { type ApplyFiltersDeps, applyFilters } from './apply-filters.ts'
import type { Filter } from './match-endpoints.ts'

const QUIET: ApplyFiltersDeps = {
  giveWay: () => undefined,
  onFault: (fault) => expect(fault).toBe(null),
}
/** What JSON.parse refuses: whoever parses it is found out. */
const NOT_JSON = '{'

function filter(field: string, operator: Condition['operator'], value: unknown): Filter {
  return () => compileFilter([{ field, operator, value }])
}

test('without any filter the payload is not even parsed, and the ids are those that came', async () => {
  const endpointIds = ['a', 'b']
  expect(await applyFilters({ endpointIds, filters: null }, NOT_JSON, QUIET)).toBe(endpointIds)
})

test('those whose filters take the payload stay, in their order, with those that have none', async () => {
  const candidates = {
    endpointIds: ['large', 'all', 'small', 'vip'],
    filters: [
      filter('$.n', 'gte', 10),
      null,
      filter('$.n', 'lt', 10),
      filter('$.tags', 'contains', 'vip'),
    ],
  }
  const apply = async (payload: unknown) =>
    await applyFilters(candidates, JSON.stringify(payload), QUIET)
  expect(await apply({ n: 10 })).toEqual(['large', 'all'])
  expect(await apply({ n: 9, tags: ['vip'] })).toEqual(['all', 'small', 'vip'])
  expect(await apply('n')).toEqual(['all'])
})

test('an endpoint whose filter can’t be judged gets the event, and the fault is told', async () => {
  const faults: string[] = []
  const deps = {
    ...QUIET,
    onFault: (fault: { endpointId: string }) => faults.push(fault.endpointId),
  }
  const throwing = (): never => {
    throw new Error('of our own making')
  }
  const candidates = {
    endpointIds: ['bad path', 'throws', 'sound'],
    filters: [filter('$..n', 'eq', 1), throwing, filter('$.n', 'eq', 1)],
  }
  expect(await applyFilters(candidates, '{"n": 2}', deps)).toEqual(['bad path', 'throws'])
  expect(faults).toEqual(['bad path', 'throws'])
  faults.length = 0
  expect(await applyFilters(candidates, NOT_JSON, deps)).toEqual(candidates.endpointIds)
  expect(faults).toEqual(candidates.endpointIds)
})

test('others have the event loop between two endpoints when it was held for long', async () => {
  const order: string[] = []
  const asked =
    (name: string): Filter =>
    () => {
      order.push(name)
      return compileFilter([])
    }
  const giveWay = async (): Promise<void> => {
    await Promise.resolve()
    order.push('way')
  }
  const candidates = { endpointIds: ['a', 'b'], filters: [asked('a'), asked('b')] }
  expect(await applyFilters(candidates, '{}', { ...QUIET, giveWay })).toEqual(['a', 'b'])
  expect(order).toEqual(['a', 'way', 'b', 'way'])
})
