/**
 * Two things about kafkajs's way into a group.
 *
 * It lets a consumer continue the membership of one that failed in this process. kafkajs 2.2.4 joins as a new member after
 * every failure, and the group then waits for the old one until its session ends: 10 s in which nobody reads the old one's
 * partitions, or any while the group was just being dealt out. As the same member it goes on at once; where the group has
 * forgotten the member, kafkajs is told so and joins as a new one.
 *
 * And it lets a member end what belongs to its old generation before it joins the next: the broker refuses commits of the
 * old one as soon as all have joined, and kafkajs's event about a rebalance waits for nobody.
 *
 * Like the timer fix it replaces methods and must be looked at again with any other version of kafkajs.
 */
import { createRequire } from 'node:module'

interface ConsumerGroup {
  cluster: object
  groupId: string
  memberId: string | null
}

interface ConsumerGroupClass {
  prototype: {
    connect(this: ConsumerGroup): Promise<void>
    joinAndSync(this: ConsumerGroup): Promise<void>
  }
}

const require = createRequire(import.meta.url)
const groupClass = require('kafkajs/src/consumer/consumerGroup.js') as ConsumerGroupClass
const { connect, joinAndSync } = groupClass.prototype

/** By kafkajs's cluster, of which each consumer has its own. */
const groups = new WeakMap<object, ConsumerGroup>()
/** By group; the last one is enough, as a process has one reader of a group. */
const abandoned = new Map<string, string>()

/** By kafkajs's cluster too. */
const lastWork = new WeakMap<object, () => Promise<unknown>>()

/** What the consumer on that cluster does before each time it joins. It must neither throw nor take long. */
export function beforeEachJoin(cluster: object, work: () => Promise<unknown>): void {
  lastWork.set(cluster, work)
}

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

groupClass.prototype.joinAndSync = async function joinAfterLastWork() {
  await lastWork.get(this.cluster)?.()
  await joinAndSync.call(this)
}
