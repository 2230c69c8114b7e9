/** `@posthorn/node/outbox`: events that are sent if, and only if, a transaction is committed. */
export type { OutboxRejection } from './outbox/post.ts'
export {
  fromDrizzle,
  type OutboxTransaction,
  type PublishOptions,
  publish,
} from './outbox/publish.ts'
export {
  createRelay,
  type OutboxRelay,
  type RelayOptions,
} from './outbox/relay.ts'
export type { RejectedOutboxEvent } from './outbox/send-due.ts'
export { createOutboxTable } from './outbox/table.ts'
