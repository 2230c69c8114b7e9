/**
 * Lets a consumer continue the membership of one that failed in this process. kafkajs 2.2.4 joins as a new member after
 * every failure, and the group then waits for the old one until its session ends: 10 s in which nobody reads the old one's
 * partitions, or any while the group was just being dealt out. As the same member it goes on at once; where the group has
 * forgotten the member, kafkajs is told so and joins as a new one.
 *
 * Like the timer fix it replaces a method and must be looked at again with any other version of kafkajs.
 */
import { createRequire } from 'node:module'

interface ConsumerGroup {
  cluster: object
  groupId: string
  memberId: string | null
}

interface ConsumerGroupClass {
  prototype: { connect(this: ConsumerGroup): Promise<void> }
}

const require = createRequire(import.meta.url)
const groupClass = require('kafkajs/src/consumer/consumerGroup.js') as ConsumerGroupClass
const connect = groupClass.prototype.connect

/** By kafkajs's cluster, of which each consumer has its own. */
const groups = new WeakMap<object, ConsumerGroup>()
/** By group; the last one is enough, as a process has one reader of a group. */
const abandoned = new Map<string, string>()

/** To be called when the consumer on that cluster has failed and was given up. */
export function abandonMember(cluster: object): void {
  const group = groups.get(cluster)
  // kafkajs's own figure and not that of its join event: a member that joined and got no assignment is one too.
  if (group?.memberId) abandoned.set(group.groupId, group.memberId)
}

groupClass.prototype.connect = async function connectAsBefore() {
  groups.set(this.cluster, this)
  this.memberId ??= abandoned.get(this.groupId) ?? null
  abandoned.delete(this.groupId)
  await connect.call(this)
}
