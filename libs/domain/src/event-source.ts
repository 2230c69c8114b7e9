/**
 * The door by which an event came in, as it is stored. `notice`: an operational event. `replay`:
 * nothing writes it yet, since a replay sends the event that there is.
 */
export const EVENT_SOURCES = ['api', 'batch', 'inbound', 'test', 'notice', 'replay'] as const
export type EventSource = (typeof EVENT_SOURCES)[number]

/** Those that count as usage. */
export const COUNTED_SOURCES: readonly EventSource[] = ['api', 'batch', 'inbound']
