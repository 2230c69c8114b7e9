/**
 * Changes two things about how kafkajs joins a group.
 *
 * First, a consumer can continue the membership of one that failed in this process. kafkajs 2.2.4
 * joins as a new member after every failure, and the group then waits for the old member until its
 * session ends: for 10 s nobody reads the old member's partitions, or any partition if the group
 * was just being assigned. As the same member it goes on at once. Where the group has forgotten the
 * member, the broker tells kafkajs so, and it joins as a new one.
 *
 * Second, a member can finish what belongs to its old generation before it joins the next one. The
 * broker refuses commits of the old generation as soon as all members have joined, and kafkajs's
 * event about a rebalance waits for nobody.
 *
 * Like the timer fix it replaces methods and must be checked again with any other version of
 * kafkajs.
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

/** By kafkajs's cluster object; each consumer has its own. */
const groups = new WeakMap<object, ConsumerGroup>()
/** Member ids by group. The last one is enough, as a process has one reader of a group. */
const abandoned = new Map<string, string>()

/** By kafkajs's cluster object, too. */
const lastWork = new WeakMap<object, () => Promise<unknown>>()

/**
 * Sets what the consumer on that cluster does before each time it joins. It must neither throw nor
 * take long.
 */
export function beforeEachJoin(cluster: object, work: () => Promise<unknown>): void {
  lastWork.set(cluster, work)
}

/** To be called when the consumer on that cluster has failed and is given up. */
export function abandonMember(cluster: object): void {
  const group = groups.get(cluster)
  // The id that kafkajs keeps, not the one of its join event: a member that joined and got no
  // assignment is a member too.
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
