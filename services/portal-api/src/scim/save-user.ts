/**
 * Creates, changes and removes members for an identity provider. Who is deactivated or removed
 * loses sessions and keys in the same transaction.
 */
import type { AuthEventName } from '@posthorn/contracts/audit'
import { createSharedSlots } from '@posthorn/async/shared-slots'
import { newId } from '@posthorn/domain/ids'
import { unavailable } from '@posthorn/http/errors'
import { type Handlers, reply, type ScimCaller } from '@posthorn/http/handlers'
import { type Database, isDuplicate, type Transaction } from '@posthorn/store/prisma'
import { evictStranger } from '../auth/evict-stranger.ts'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { type Origin, originOf } from '../auth/start-session.ts'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { lockAdmins, requireAnotherAdmin } from '../team/last-admin.ts'
import { endAccess } from './end-access.ts'
import { findMember, isUserNameTaken, type MemberRow } from './find-members.ts'
import { patchUser } from './patch-user.ts'
import { hasProvedDomain, requireOwnUser } from './require-own-user.ts'
import { notUnique } from './scim-refusals.ts'
import { addressOf, displayedName, readUser, type ScimAttributes } from './user-attributes.ts'
import { attributesOf, requiredAddress, storedAttributes, toResource } from './user-resource.ts'

export interface SaveScimUserDeps {
  database: Pick<Database, '$transaction'>
  announceChange: AnnounceChange
  /** Epoch ms. */
  now: () => number
}

type SaveHandlers = Pick<
  Handlers<'portal-api'>,
  'createScimUser' | 'replaceScimUser' | 'patchScimUser' | 'deleteScimUser'
>

/** The transaction of one request, and who asks. */
interface Change {
  transaction: Transaction
  caller: ScimCaller
  origin: Origin
  now: Date
  /** Workspaces whose sessions have ended, beside the caller's. */
  alsoChanged: Set<string>
}

interface Asking {
  caller: ScimCaller
  clientIp: string
  header(name: string): string | undefined
}

/**
 * Changes of one workspace are made one at a time, and those of all have less than the connections
 * of the management API: an identity provider that brings thousands of people delays only itself.
 */
const SLOTS = {
  slots: 2,
  slotsPerOwner: 1,
  slowSlots: 1,
  slowMs: 500,
  rememberMs: 60_000,
  waitingPerOwner: 50,
  maxWaitMs: 10_000,
}

export function createSaveScimUser(publicUrl: string, deps: SaveScimUserDeps): SaveHandlers {
  const slots = createSharedSlots(SLOTS, {
    refusal: () => unavailable('too many changes of this workspace are waiting; try again'),
    clock: () => performance.now(),
  })
  async function changing<Result>(
    request: Asking,
    work: (change: Change) => Promise<Result>,
  ): Promise<Result> {
    const { caller } = request
    const alsoChanged = new Set<string>()
    const change = { caller, origin: originOf(request), now: new Date(deps.now()), alsoChanged }
    const once = async (): Promise<Result> =>
      await deps.database.$transaction(async (transaction) => {
        // On whichever instance: two who are made at once must not get one userName.
        await transaction.$queryRaw`
          SELECT pg_advisory_xact_lock(hashtextextended(${`scim:${caller.tenantId}`}, 0))::text`
        return await work({ ...change, transaction })
      })
    const result = await slots(caller.tenantId, once).catch((error: unknown) => {
      throw isDuplicate(error) ? notUnique('another user has this address or externalId') : error
    })
    for (const tenantId of new Set([caller.tenantId, ...alsoChanged]))
      for (const what of ['sessions', 'api-keys'] as const) deps.announceChange(tenantId, what)
    return result
  }

  async function update(
    request: Asking & { params: Readonly<Record<string, string>> },
    next: (before: ScimAttributes) => ScimAttributes,
  ): Promise<Record<string, unknown>> {
    const id = request.params['id'] ?? ''
    const member = await changing(request, async (change) => {
      const admins = await lockAdmins(change.transaction, change.caller.tenantId)
      const before = await requireMember(change, id)
      return await updateMember(change, { before, next: next(attributesOf(before)), admins })
    })
    return { ...toResource(member, publicUrl) }
  }

  return {
    async createScimUser({ body, ...request }) {
      const user = readUser(body)
      const member = await changing(request, async (change) => await create(change, user))
      const resource = toResource(member, publicUrl)
      return reply({ ...resource }, { headers: { Location: resource.meta.location } })
    },
    replaceScimUser: async ({ body, ...request }) => await update(request, () => readUser(body)),
    patchScimUser: async ({ body, ...request }) =>
      await update(request, (before) => patchUser(before, body)),
    async deleteScimUser({ params, ...request }) {
      const id = params['id'] ?? ''
      await changing(request, async (change) => await remove(change, id))
      return undefined
    },
  }
}

async function create(change: Change, user: ScimAttributes): Promise<MemberRow> {
  const { transaction, caller, now } = change
  const { tenantId } = caller
  const email = requiredAddress(user)
  if (await isUserNameTaken(transaction, tenantId, user.userName, null)) throw nameTaken()
  const isProved = await hasProvedDomain(transaction, tenantId, email)
  const [known] = await transaction.$queryRaw<{ id: string; isVerified: boolean }[]>`
    SELECT id::text, email_verified_at IS NOT NULL AS "isVerified" FROM users
    WHERE lower(email) = ${email} FOR UPDATE`
  const userId = known?.id ?? newId()
  const verified = isProved ? { emailVerifiedAt: now } : {}
  if (known === undefined) {
    const name = displayedName(user)
    await transaction.user.create({ data: { id: userId, email, name, ...verified } })
  } else {
    if ((await findMember(transaction, tenantId, userId)) !== null)
      throw notUnique('the address is that of a member')
    await requireOwnUser(transaction, tenantId, { id: userId, email })
    // Whoever signed up with the address has not shown to be its owner.
    if (!known.isVerified)
      for (const changed of await evictStranger(transaction, userId))
        change.alsoChanged.add(changed)
    if (!known.isVerified && isProved)
      await transaction.user.update({ where: { id: userId }, data: verified })
  }
  await transaction.membership.create({
    data: {
      tenantId,
      userId,
      role: 'viewer',
      status: user.active ? 'active' : 'deactivated',
      source: 'scim',
      scimExternalId: user.externalId ?? null,
      scimAttributes: { ...storedAttributes(user) },
    },
  })
  await record(change, 'scim.user.create', { id: userId, email })
  return await requireMember(change, userId)
}

async function updateMember(
  change: Change,
  { before, next, admins }: { before: MemberRow; next: ScimAttributes; admins: string[] },
): Promise<MemberRow> {
  const { transaction, caller, now } = change
  const { tenantId } = caller
  const { id: userId } = before
  const was = attributesOf(before)
  // An identity provider repeats itself: what changes nothing is no change.
  if (isSame(was, next)) return before
  await requireOwnUser(transaction, tenantId, before)
  const isRenamed = next.userName.toLowerCase() !== was.userName.toLowerCase()
  if (isRenamed && (await isUserNameTaken(transaction, tenantId, next.userName, userId)))
    throw nameTaken()
  await updateUser(change, before, next)
  const isEnded = before.active && !next.active
  if (isEnded) {
    requireAnotherAdmin(admins, userId)
    await endAccess(transaction, { tenantId, userId }, now.getTime())
  }
  await transaction.membership.update({
    where: { tenantId_userId: { tenantId, userId } },
    data: {
      status: next.active ? 'active' : 'deactivated',
      scimExternalId: next.externalId ?? null,
      scimAttributes: { ...storedAttributes(next) },
      updatedAt: now,
    },
  })
  await record(change, isEnded ? 'scim.user.deactivate' : 'scim.user.update', before)
  return await requireMember(change, userId)
}

/** What of a change concerns the person, and not only the member. */
async function updateUser(
  { transaction, caller, now }: Change,
  before: MemberRow,
  next: ScimAttributes,
): Promise<void> {
  const was = attributesOf(before)
  const email = requiredAddress(next)
  const name = displayedName(next)
  if (name !== null && name !== displayedName(was))
    await transaction.user.update({ where: { id: before.id }, data: { name, updatedAt: now } })
  if (email === addressOf(was) || email === before.email.toLowerCase()) return
  await requireOwnUser(transaction, caller.tenantId, { id: before.id, email })
  const isProved = await hasProvedDomain(transaction, caller.tenantId, email)
  await transaction.user.update({
    where: { id: before.id },
    data: { email, emailVerifiedAt: isProved ? now : null, updatedAt: now },
  })
}

async function remove(change: Change, userId: string): Promise<void> {
  const { transaction, caller, now } = change
  const { tenantId } = caller
  const admins = await lockAdmins(transaction, tenantId)
  const member = await requireMember(change, userId)
  await requireOwnUser(transaction, tenantId, member)
  requireAnotherAdmin(admins, userId)
  await endAccess(transaction, { tenantId, userId }, now.getTime())
  await transaction.membership.delete({ where: { tenantId_userId: { tenantId, userId } } })
  await record(change, 'scim.user.deactivate', member)
  const left = await transaction.membership.count({ where: { userId } })
  if (left === 0) await transaction.user.delete({ where: { id: userId } })
}

async function requireMember({ transaction, caller }: Change, id: string): Promise<MemberRow> {
  const member = await findMember(transaction, caller.tenantId, id, 'for update')
  if (member === null) throw notFound('user')
  return member
}

async function record(
  { transaction, caller, origin }: Change,
  event: AuthEventName,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await recordAuthEvent(transaction, {
    ...origin,
    event,
    tenantId: caller.tenantId,
    userId: id,
    subject: email,
    metadata: { scimToken: caller.tokenId },
  })
}

function isSame(one: ScimAttributes, other: ScimAttributes): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

/** The same whatever the order in which its keys were sent. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [
    key,
    sorted(inner),
  ])
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function nameTaken(): Error {
  return notUnique('another member has this userName')
}
