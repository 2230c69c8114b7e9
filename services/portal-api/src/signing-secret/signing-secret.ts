/**
 * The tenant's global secret, which signs direct events and the deliveries of endpoints without one of their own. It is
 * stored sealed and shown to whoever may administer the account.
 */
import { newSigningSecret } from '@posthorn/domain/signature'
import type { Handlers } from '@posthorn/http/handlers'
import type { Database } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import type { AnnounceChange } from '../config-changes.ts'

export interface SigningSecretDeps {
  database: Pick<Database, 'tenant' | '$queryRaw'>
  seal: Seal
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type SecretHandlers = Pick<Handlers<'portal-api'>, 'getSigningSecret' | 'rotateSigningSecret'>

export function createSigningSecret(deps: SigningSecretDeps): SecretHandlers {
  return {
    async getSigningSecret({ caller }) {
      const tenant = await deps.database.tenant.findUniqueOrThrow({
        where: { id: caller.tenantId },
        select: { signingSecret: true, previousValidUntil: true },
      })
      const until = tenant.previousValidUntil
      const previousValidUntil =
        until !== null && until.getTime() > deps.now() ? until.toISOString() : null
      return { signingSecret: deps.seal.open(tenant.signingSecret), previousValidUntil }
    },

    async rotateSigningSecret({ caller, body }) {
      const signingSecret = body.newSecret ?? newSigningSecret()
      const sealed = deps.seal.seal(signingSecret)
      const grace = body.gracePeriodMinutes
      // One statement, so that two rotations at once can't both keep the same secret as the previous one.
      const rows = await deps.database.$queryRaw<{ until: Date | null }[]>`
        UPDATE tenants SET signing_secret = ${sealed},
          previous_signing_secret = CASE WHEN ${grace}::int > 0 THEN signing_secret END,
          previous_valid_until = CASE WHEN ${grace}::int > 0 THEN now() + ${grace}::int * interval '1 minute' END,
          config_version = config_version + 1
        WHERE id = ${caller.tenantId}::uuid RETURNING previous_valid_until AS until`
      deps.announceChange(caller.tenantId, 'secrets')
      return { signingSecret, previousValidUntil: rows[0]?.until?.toISOString() ?? null }
    },
  }
}
