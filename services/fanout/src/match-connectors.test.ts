import { expect, test } from '@jest/globals'
import { type FindConnectors, indexConnectors } from './match-connectors.ts'

const findInSteps = indexConnectors([
  { connectorId: 'a', projectId: null, eventTypes: ['order.*'] },
  { connectorId: 'b', projectId: 'p', eventTypes: ['order.paid', 'service.*'] },
  { connectorId: 'c', projectId: 'q', eventTypes: ['*'] },
])

function lookOf(look: ReturnType<FindConnectors>): {
  ids: readonly string[] | null
  steps: number
} {
  for (let steps = 1; ; steps += 1) {
    const step = look.next()
    if (step.done === true) return { ids: step.value, steps }
  }
}

test.each([
  ['p', 'order.paid', ['a', 'b']],
  ['p', 'order.new', ['a']],
  ['q', 'order.paid', ['a', 'c']],
  ['p', 'service.event.dead', ['b']],
  ['q', 'service.event.dead', null],
  ['p', 'user.new', null],
])('of project %s with type %s go to %j', (projectId, eventType, ids) => {
  expect(lookOf(findInSteps(projectId, eventType))).toEqual({ ids, steps: 1 })
  expect(lookOf(findInSteps(projectId, eventType))).toEqual({ ids, steps: 1 })
})

test('without connectors there is nothing to look for', () => {
  expect(lookOf(indexConnectors([])('p', 'order.paid'))).toEqual({ ids: null, steps: 1 })
})

test('very many patterns are looked at in steps, once for each type', () => {
  const eventTypes = Array.from({ length: 100 }, (_, nth) => `order.${nth}.*`)
  const all = Array.from({ length: 100 }, (_, nth) => {
    return { connectorId: String(nth), projectId: null, eventTypes }
  })
  const find = indexConnectors(all)
  const ids = all.map(({ connectorId }) => connectorId)
  expect(lookOf(find('p', 'order.99.paid'))).toEqual({ ids, steps: 10 })
  expect(lookOf(find('p', 'order.99.paid'))).toEqual({ ids, steps: 1 })
})
