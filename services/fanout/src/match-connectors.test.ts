import { expect, test } from '@jest/globals'
import { indexConnectors } from './match-connectors.ts'

const find = indexConnectors([
  { connectorId: 'a', projectId: null, eventTypes: ['order.*'] },
  { connectorId: 'b', projectId: 'p', eventTypes: ['order.paid', 'service.*'] },
  { connectorId: 'c', projectId: 'q', eventTypes: ['*'] },
])

test.each([
  ['p', 'order.paid', ['a', 'b']],
  ['p', 'order.new', ['a']],
  ['q', 'order.paid', ['a', 'c']],
  ['p', 'service.event.dead', ['b']],
  ['q', 'service.event.dead', null],
  ['p', 'user.new', null],
])('of project %s with type %s go to %j', (projectId, eventType, ids) => {
  expect(find(projectId, eventType)).toEqual(ids)
  expect(find(projectId, eventType)).toEqual(ids)
})

test('without connectors there is nothing to look for', () => {
  expect(indexConnectors([])('p', 'order.paid')).toBeNull()
})
