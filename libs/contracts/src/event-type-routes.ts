/** The routes of event types. */
import { may, mayInSubAccount } from './access.ts'
import * as eventTypes from './event-types.ts'
import { API, entry } from './route.ts'

export const eventTypeRoutes = {
  createEventType: entry({
    method: 'POST',
    path: `${API}/event-types`,
    service: 'portal-api',
    access: may('event-types:write'),
    summary: 'Create an event type; with a schema, payloads are checked against it',
    status: 201,
    body: eventTypes.CreateEventType,
    answer: eventTypes.EventType,
    errors: ['CONFLICT', 'VALIDATION_ERROR'],
    example: { name: 'order.paid', schema: { type: 'object', required: ['orderId'] } },
  }),
  listEventTypes: entry({
    method: 'GET',
    path: `${API}/event-types`,
    service: 'portal-api',
    access: mayInSubAccount('event-types:read'),
    summary: 'List event types, newest first',
    status: 200,
    query: eventTypes.EventTypeListQuery,
    answer: eventTypes.EventTypePage,
  }),
  getEventTypeByName: entry({
    method: 'GET',
    path: `${API}/event-types/by-name/:name`,
    service: 'portal-api',
    access: mayInSubAccount('event-types:read'),
    summary: 'One event type by its name',
    status: 200,
    answer: eventTypes.EventType,
  }),
  getEventType: entry({
    method: 'GET',
    path: `${API}/event-types/:id`,
    service: 'portal-api',
    access: mayInSubAccount('event-types:read'),
    summary: 'One event type',
    status: 200,
    answer: eventTypes.EventType,
  }),
  updateEventType: entry({
    method: 'PUT',
    path: `${API}/event-types/:id`,
    service: 'portal-api',
    access: may('event-types:write'),
    summary: 'Change an event type; fields left out stay as they are',
    status: 200,
    body: eventTypes.UpdateEventType,
    answer: eventTypes.EventType,
    errors: ['CONFLICT', 'VALIDATION_ERROR'],
    example: { description: 'An order was paid', schemaVersion: '2' },
  }),
  deleteEventType: entry({
    method: 'DELETE',
    path: `${API}/event-types/:id`,
    service: 'portal-api',
    access: may('event-types:write'),
    summary: 'Delete an event type; events of that name are no longer checked',
    status: 204,
  }),
}
