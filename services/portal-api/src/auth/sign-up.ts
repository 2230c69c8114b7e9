/**
 * Makes a workspace and its first admin. The answer is the same for an address that has an account:
 * its owner gets a mail that says so, and nothing else changes.
 */
import { ApiError } from '@posthorn/contracts/errors'
import { newId } from '@posthorn/domain/ids'
import { badField } from '@posthorn/http/errors'
import type { Handlers } from '@posthorn/http/handlers'
import type { Database, Transaction } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import { answerEvenly } from './answer-evenly.ts'
import { createWorkspace } from './create-workspace.ts'
import type { MailLimits } from './mail-limits.ts'
import { passwordProblem } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import { recordAuthEvent } from '@posthorn/store/audit/record-auth-event'
import { originOf } from './start-session.ts'
import { sendVerification } from './verify-email.ts'

/** `SIGNUP` */
export type SignUpPolicy = 'open' | 'first' | 'closed'

export interface SignUpDeps {
  database: Pick<Database, '$transaction'>
  seal: Seal
  passwords: Passwords
  mailLimits: MailLimits
  /** Epoch ms. */
  now(): number
}

/** A dozen rows take some 10 ms and one mail 2 ms; the hash comes before in both cases. */
const LEAST_MS = 60

export function createSignUp(
  { signUp: policy, defaultPlan }: { signUp: SignUpPolicy; defaultPlan: string },
  { database, seal, passwords, mailLimits, now }: SignUpDeps,
): Pick<Handlers<'portal-api'>, 'signUp'> {
  return {
    async signUp(request) {
      const { email, password, companyName, name = null } = request.body
      if (policy === 'closed') throw closed()
      const names = [companyName, name ?? '']
      const problem = passwordProblem(password, { email, names })
      if (problem !== null) throw badField('password', problem)
      const mayMail = await mailLimits.allow(email, request.clientIp)
      const passwordHash = await passwords.hash(password)
      const user = { id: newId(), email, name, passwordHash }
      await answerEvenly(LEAST_MS, () =>
        database.$transaction(async (transaction) => {
          if (policy === 'first') await requireFirst(transaction)
          if (!(await addUser(transaction, user))) {
            const mail = { to: email, tenantId: null, kind: 'known_email', data: {} } as const
            if (mayMail) await enqueueMail(transaction, mail)
            return
          }
          const workspace = { name: companyName, plan: defaultPlan, adminId: user.id }
          const tenantId = await createWorkspace(transaction, seal, workspace)
          await sendVerification(transaction, { ...user, tenantId }, now())
          const who = { tenantId, userId: user.id, subject: email, ...originOf(request) }
          await recordAuthEvent(transaction, { event: 'signup.success', ...who })
        }),
      )
      return { email, verificationSent: true }
    },
  }
}

interface NewUser {
  id: string
  email: string
  name: string | null
  passwordHash: string
}

/** @returns false: somebody has the address */
async function addUser(
  transaction: Transaction,
  { id, email, name, passwordHash }: NewUser,
): Promise<boolean> {
  const added = await transaction.$executeRaw`
    INSERT INTO users (id, email, name, password_hash)
    VALUES (${id}::uuid, ${email}, ${name}, ${passwordHash})
    ON CONFLICT (lower(email)) DO NOTHING`
  return added === 1
}

/** Two at once are not both the first: the second waits for the lock, and then finds a user. */
async function requireFirst(transaction: Transaction): Promise<void> {
  await transaction.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended('posthorn: the first user', 0))`
  if ((await transaction.user.count({ take: 1 })) > 0) throw closed()
}

function closed(): ApiError {
  const message = 'nobody can sign up here: ask an admin of the workspace for an invitation'
  return new ApiError('FORBIDDEN', message)
}
