/**
 * The second factors of a person, as they are stored. Each code is taken by one conditional
 * statement, so that of two uses at once one counts.
 */
import type { User } from '@posthorn/store/generated/client'
import type { Transaction } from '@posthorn/store/prisma'
import { type Seal, sealedAt, type SealedPlace } from '@posthorn/store/seal'
import { hashRecoveryCode } from './recovery-codes.ts'
import { totpStep } from './totp.ts'

/** Where a person's secret is sealed: it belongs to them, not to a workspace. */
export function totpPlace(userId: string): SealedPlace {
  return sealedAt('users.totp_secret', userId)
}

type Factors = Pick<User, 'id' | 'totpSecret' | 'totpActivatedAt'>

/** @param now epoch ms. @returns false: the code is wrong, too old, or was used before */
export async function takeTotpCode(
  transaction: Pick<Transaction, '$executeRaw'>,
  seal: Pick<Seal, 'open'>,
  { id, totpSecret, totpActivatedAt }: Factors,
  code: string,
  now: number,
): Promise<boolean> {
  if (totpSecret === null || totpActivatedAt === null) return false
  const step = totpStep(seal.open(totpSecret, totpPlace(id)), code, now)
  if (step === null) return false
  const taken = await transaction.$executeRaw`
    UPDATE users SET totp_last_step = ${step}::bigint
    WHERE id = ${id}::uuid AND totp_activated_at IS NOT NULL AND totp_secret = ${totpSecret}
      AND (totp_last_step IS NULL OR totp_last_step < ${step}::bigint)`
  return taken === 1
}

/** @returns false: there is no such code, or it was used before */
export async function takeRecoveryCode(
  transaction: Pick<Transaction, 'recoveryCode'>,
  userId: string,
  code: string,
): Promise<boolean> {
  const codeHash = new Uint8Array(hashRecoveryCode(userId, code))
  const { count } = await transaction.recoveryCode.deleteMany({ where: { userId, codeHash } })
  return count === 1
}

/** Voids the codes of before. */
export async function writeRecoveryCodes(
  transaction: Pick<Transaction, 'recoveryCode'>,
  userId: string,
  codes: readonly string[],
): Promise<void> {
  await transaction.recoveryCode.deleteMany({ where: { userId } })
  const data = codes.map((code) => ({
    userId,
    codeHash: new Uint8Array(hashRecoveryCode(userId, code)),
  }))
  await transaction.recoveryCode.createMany({ data })
}

/** No second factor is asked for any more; passkeys stay. @returns false: none was */
export async function clearFactors(
  transaction: Pick<Transaction, '$executeRaw' | 'recoveryCode'>,
  userId: string,
): Promise<boolean> {
  const cleared = await transaction.$executeRaw`
    UPDATE users SET totp_secret = NULL, totp_activated_at = NULL, totp_last_step = NULL,
      mfa_enabled = false, updated_at = now()
    WHERE id = ${userId}::uuid AND totp_activated_at IS NOT NULL`
  await transaction.recoveryCode.deleteMany({ where: { userId } })
  return cleared === 1
}
