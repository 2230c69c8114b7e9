/** Where a delivery waits whose endpoint is in poll mode, for the statements that put one there. */

/** `parked.priority` of what a poll may fetch, so that the key's order is that of acceptance. Senders' begin with 1. */
export const VISIBLE_PRIORITY = 0

/** An alias of `endpoints` is one whose deliveries are fetched. */
export function isPolled(endpoint: string): string {
  return `${endpoint}.deleted_at IS NULL AND ${endpoint}.delivery_mode = 'poll'`
}

/**
 * Whether a delivery of the alias `m` is fetched by polls. A scalar subquery, for it is looked up by key whatever the
 * planner believes; a direct delivery has no endpoint.
 */
export const IS_POLLED = `coalesce((SELECT ${isPolled('n')} FROM endpoints n
    WHERE n.tenant_id = m.tenant_id AND n.id = m.endpoint_id), false)`
