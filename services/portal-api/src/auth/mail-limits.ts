/**
 * Limits of the mails that strangers can have sent: to one address, so that nobody's inbox is
 * flooded, and from one machine. Over the limit of an address nothing is sent and nobody is told;
 * over that of a machine the answer is 429.
 */
import { hash } from 'node:crypto'
import { ApiError } from '@posthorn/contracts/errors'
import type { StateStore } from '@posthorn/state/state-store'
import { machineKey } from './lockout.ts'

const HOUR_MS = 3_600_000
const ADDRESS = { max: 10, windowMs: HOUR_MS, lockMs: HOUR_MS }
/** Over it a machine has one a minute until an hour was quieter. */
const MACHINE = { max: 500, windowMs: HOUR_MS, lockMs: 60_000 }

export interface MailLimits {
  /** Throws RATE_LIMITED. @returns whether a mail may go to the address */
  allow(email: string, clientIp: string): Promise<boolean>
}

export function createMailLimits(state: Pick<StateStore, 'countGuess'>): MailLimits {
  return {
    async allow(email, clientIp) {
      const machine = await state.countGuess(`mail:${machineKey(clientIp)}`, MACHINE)
      if (!machine.allowed) {
        const retryAfterSeconds = Math.max(1, Math.ceil(machine.retryAfterMs / 1_000))
        throw new ApiError('RATE_LIMITED', 'too many requests for mails', { retryAfterSeconds })
      }
      const digest = hash('sha256', email.toLowerCase(), 'base64url')
      return (await state.countGuess(`mail:${digest}`, ADDRESS)).allowed
    },
  }
}
