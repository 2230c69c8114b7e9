/** Where a delivery waits whose endpoint is in poll mode, for the statements that put it there. */

/**
 * `parked.priority` of what a poll may fetch, so that the order of the key is the order of
 * acceptance. The priorities that senders give begin with 1.
 */
export const VISIBLE_PRIORITY = 0

/** Whether the deliveries of an endpoint are fetched by polls. @param endpoint an alias of it */
export function isPolled(endpoint: string): string {
  return `${endpoint}.deleted_at IS NULL AND ${endpoint}.delivery_mode = 'poll'`
}

/**
 * Whether a delivery of the alias `m` is fetched by polls. A direct delivery has no endpoint, and
 * is not. This is a scalar subquery, so that the endpoint is looked up by key whatever the planner
 * believes.
 */
export const IS_POLLED = `coalesce((SELECT ${isPolled('n')} FROM endpoints n
    WHERE n.tenant_id = m.tenant_id AND n.id = m.endpoint_id), false)`
