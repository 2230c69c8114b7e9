import { expect, test } from '@jest/globals'
import { type Condition, compileFilter } from '@posthorn/domain/filter'
import { applyFilters, type OnFilterFault } from './apply-filters.ts'
import type { Filter } from './match-endpoints.ts'

const QUIET: OnFilterFault = (fault) => expect(fault).toBe(null)
/** JSON.parse refuses this text, so parsing it would throw. */
const NOT_JSON = '{'

/** Runs all of its steps. */
function apply(
  candidates: Parameters<typeof applyFilters>[0],
  payload: string,
  onFault = QUIET,
): readonly string[] {
  const steps = applyFilters(candidates, () => JSON.parse(payload) as unknown, onFault)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

function filter(field: string, operator: Condition['operator'], value: unknown): Filter {
  return () => compileFilter([{ field, operator, value }])
}

test('without any filter the payload is not even parsed, and the ids come back as they are', () => {
  const endpointIds = ['a', 'b']
  expect(apply({ endpointIds, filters: null }, NOT_JSON)).toBe(endpointIds)
})

test('endpoints whose filters accept the payload stay in order, with those that have no filter', () => {
  const candidates = {
    endpointIds: ['large', 'all', 'small', 'vip'],
    filters: [
      filter('$.n', 'gte', 10),
      null,
      filter('$.n', 'lt', 10),
      filter('$.tags', 'contains', 'vip'),
    ],
  }
  expect(apply(candidates, '{"n": 10}')).toEqual(['large', 'all'])
  expect(apply(candidates, '{"n": 9, "tags": ["vip"]}')).toEqual(['all', 'small', 'vip'])
  expect(apply(candidates, '"n"')).toEqual(['all'])
})

test('an endpoint whose filter can’t be evaluated gets the event, and the fault is reported', () => {
  const faults: string[] = []
  const onFault: OnFilterFault = ({ endpointId }) => void faults.push(endpointId)
  const throwing = (): never => {
    throw new Error('of our own making')
  }
  const candidates = {
    endpointIds: ['bad path', 'throws', 'sound'],
    filters: [filter('$..n', 'eq', 1), throwing, filter('$.n', 'eq', 1)],
  }
  expect(apply(candidates, '{"n": 2}', onFault)).toEqual(['bad path', 'throws'])
  expect(faults).toEqual(['bad path', 'throws'])
  faults.length = 0
  expect(apply(candidates, NOT_JSON, onFault)).toEqual(candidates.endpointIds)
  expect(faults).toEqual(candidates.endpointIds)
})

test('each filter is a step of its own, evaluated when its turn comes', () => {
  const order: string[] = []
  const recorded =
    (name: string): Filter =>
    () => {
      order.push(name)
      return compileFilter([])
    }
  const candidates = {
    endpointIds: ['a', 'all', 'b'],
    filters: [recorded('a'), null, recorded('b')],
  }
  const steps = applyFilters(candidates, () => null, QUIET)
  expect(steps.next().done).toBe(false)
  expect(order).toEqual(['a'])
  expect(steps.next().done).toBe(false)
  expect(order).toEqual(['a', 'b'])
  expect(steps.next()).toEqual({ done: true, value: ['a', 'all', 'b'] })
})
