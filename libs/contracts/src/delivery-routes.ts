/** The routes of deliveries. */
import { mayInSubAccount } from './access.ts'
import * as deliveries from './deliveries.ts'
import { API, entry } from './route.ts'

export const deliveryRoutes = {
  listDeliveries: entry({
    method: 'GET',
    path: `${API}/deliveries`,
    service: 'portal-api',
    access: mayInSubAccount('deliveries:read'),
    summary: 'List delivery attempts, newest first',
    status: 200,
    query: deliveries.DeliveryListQuery,
    answer: deliveries.DeliveryPage,
  }),
  listEventDeliveries: entry({
    method: 'GET',
    path: `${API}/events/:eventId/deliveries`,
    service: 'portal-api',
    access: mayInSubAccount('deliveries:read'),
    summary: "An event's delivery attempts in the order in which they were made",
    status: 200,
    query: deliveries.EventDeliveriesQuery,
    answer: deliveries.EventDeliveries,
  }),
  getDelivery: entry({
    method: 'GET',
    path: `${API}/deliveries/:deliveryId`,
    service: 'portal-api',
    access: mayInSubAccount('deliveries:read'),
    summary: 'One delivery attempt',
    status: 200,
    answer: deliveries.AttemptDetail,
  }),
}
