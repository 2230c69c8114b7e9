/**
 * Lets a consumer continue the membership of one that failed in this process. kafkajs 2.2.4 joins as a new member after
 * every failure, and the group then waits for the old one until its session ends: 10 s without reading after each
 * restart of a broker. As the same member it goes on at once; where the group has forgotten the member, kafkajs is told
 * so and joins as a new one.
 *
 * Like the timer fix it replaces a method and must be looked at again with any other version of kafkajs.
 */
import { createRequire } from 'node:module'

interface ConsumerGroup {
  groupId: string
  memberId: string | null
}

interface ConsumerGroupClass {
  prototype: { connect(this: ConsumerGroup): Promise<void> }
}

const require = createRequire(import.meta.url)
const groupClass = require('kafkajs/src/consumer/consumerGroup.js') as ConsumerGroupClass
const connect = groupClass.prototype.connect

/** By group; the last one is enough, as a process has one reader of a group. */
const abandoned = new Map<string, string>()

/** To be called when the consumer of that member has failed and was given up. */
export function abandonMember(groupId: string, memberId: string): void {
  abandoned.set(groupId, memberId)
}

groupClass.prototype.connect = async function connectAsBefore() {
  this.memberId ??= abandoned.get(this.groupId) ?? null
  abandoned.delete(this.groupId)
  await connect.call(this)
}
