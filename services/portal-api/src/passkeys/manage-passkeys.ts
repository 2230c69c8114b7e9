/** Adds, lists and removes a person's passkeys. */
import type { AuthEventName } from '@posthorn/contracts/audit'
import type { Passkey, PasskeyCreationOptions } from '@posthorn/contracts/passkeys'
import { ApiError } from '@posthorn/contracts/errors'
import { newId } from '@posthorn/domain/ids'
import { badField } from '@posthorn/http/errors'
import type { Handlers, SessionUser } from '@posthorn/http/handlers'
import type { Passkey as Row } from '@posthorn/store/generated/client'
import { type Database, isDuplicate, type Transaction } from '@posthorn/store/prisma'
import { requireUser } from '../auth/change-password.ts'
import { issueToken, takeToken } from '../auth/one-time-tokens.ts'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { type Origin, originOf } from '../auth/start-session.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import { notFound } from '../refusals.ts'
import { CHALLENGE_MS, toDescriptor, userHandleOf } from './passkey-options.ts'
import { ALGORITHMS, challengeOf, type RelyingParty, verifyAttestation } from './verify-passkey.ts'

export interface ManagePasskeysDeps {
  database: Database
  party: RelyingParty
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

/** As many devices as one person may sign in with. */
const MAX_PASSKEYS = 20

type PasskeyHandlers = Pick<
  Handlers<'portal-api'>,
  'passkeyCreationOptions' | 'registerPasskey' | 'listPasskeys' | 'deletePasskey'
>

export function createManagePasskeys(deps: ManagePasskeysDeps): PasskeyHandlers {
  const { database, party, now } = deps
  return {
    async passkeyCreationOptions({ caller }) {
      const user = requireUser(caller)
      const known = await database.passkey.findMany({ where: { userId: user.id } })
      if (known.length >= MAX_PASSKEYS) throw tooMany()
      const token = { purpose: 'passkey_registration', userId: user.id } as const
      const lifetimeMs = CHALLENGE_MS
      const challenge = await issueToken(database, { ...token, lifetimeMs }, now())
      return creationOptions(party, challenge, user, known)
    },

    registerPasskey: createRegister(deps),

    async listPasskeys({ caller }) {
      const { id: userId } = requireUser(caller)
      const rows = await database.passkey.findMany({ where: { userId }, orderBy: { id: 'desc' } })
      return { data: rows.map(toPasskey) }
    },

    async deletePasskey(request) {
      const user = requireUser(request.caller)
      const where = { id: request.params['id'] ?? '', userId: user.id }
      await database.$transaction(async (transaction) => {
        const { count } = await transaction.passkey.deleteMany({ where })
        if (count === 0) throw notFound('passkey')
        const what = { event: 'passkey.remove.success', change: 'passkey_removed' } as const
        await tell(transaction, user, what, request.caller.tenantId, originOf(request))
      })
      return undefined
    },
  }
}

function createRegister({
  database,
  party,
}: ManagePasskeysDeps): PasskeyHandlers['registerPasskey'] {
  return async (request) => {
    const { caller, body } = request
    const { name, response } = body
    const user = requireUser(caller)
    const challenge = challengeOf(response.response) ?? ''
    const taken = await takeToken(database, 'passkey_registration', challenge)
    if (taken?.userId !== user.id) {
      throw new ApiError('INVALID_TOKEN', 'the challenge is unknown, used or too old: begin again')
    }
    const made = await verifyAttestation(party, challenge, response)
    if (made === null)
      throw badField('response', 'is not what an authenticator signs for this site')
    const row = await database
      .$transaction(async (transaction) => {
        // Registrations of one person come one after the other, so that they can be counted.
        await transaction.$queryRaw`SELECT FROM users WHERE id = ${user.id}::uuid FOR UPDATE`
        const created = await transaction.passkey.create({
          data: {
            credentialId: new Uint8Array(Buffer.from(made.credentialId, 'base64url')),
            id: newId(),
            userId: user.id,
            publicKey: new Uint8Array(made.publicKey),
            counter: BigInt(made.counter),
            transports: response.response.transports ?? [],
            name,
          },
        })
        const count = await transaction.passkey.count({ where: { userId: user.id } })
        if (count > MAX_PASSKEYS) throw tooMany()
        const what = { event: 'passkey.register.success', change: 'passkey_added' } as const
        await tell(transaction, user, what, caller.tenantId, originOf(request))
        return created
      })
      .catch((error: unknown) => {
        if (!isDuplicate(error)) throw error
        throw new ApiError('CONFLICT', 'the passkey is registered already')
      })
    return toPasskey(row)
  }
}

function creationOptions(
  { id, name }: RelyingParty,
  challenge: string,
  user: SessionUser,
  known: readonly Row[],
): PasskeyCreationOptions {
  return {
    challenge,
    rp: { id, name },
    user: { id: userHandleOf(user.id), name: user.email, displayName: user.name ?? user.email },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
    timeout: CHALLENGE_MS,
    attestation: 'none',
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  }
}

function toPasskey(row: Row): Passkey {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }
}

async function tell(
  transaction: Transaction,
  { id, email }: SessionUser,
  { event, change }: { event: AuthEventName; change: string },
  tenantId: string,
  origin: Origin,
): Promise<void> {
  await recordAuthEvent(transaction, { event, tenantId, userId: id, subject: email, ...origin })
  await enqueueMail(transaction, { to: email, tenantId, kind: 'mfa_changed', data: { change } })
}

function tooMany(): ApiError {
  const message = `a person has at most ${MAX_PASSKEYS} passkeys`
  return new ApiError('INVALID_STATE', message, { details: { limit: MAX_PASSKEYS } })
}
