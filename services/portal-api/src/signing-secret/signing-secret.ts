/**
 * The tenant's global secret, which signs direct events and the deliveries of endpoints without a
 * secret of their own. It is stored sealed, and shown to callers that may administer the account.
 */
import { newSigningSecret, secretHint } from '@posthorn/domain/signature'
import type { Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import type { Database } from '@posthorn/store/prisma'
import { type Seal, sealedAt } from '@posthorn/store/seal'
import type { AnnounceChange } from '../config-changes.ts'

export interface SigningSecretDeps {
  database: Pick<Database, 'tenant' | '$transaction'>
  seal: Seal
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

type SecretHandlers = Pick<Handlers<'portal-api'>, 'getSigningSecret' | 'rotateSigningSecret'>

export function createSigningSecret(deps: SigningSecretDeps): SecretHandlers {
  function open(tenantId: string, sealed: string): string {
    return deps.seal.open(sealed, sealedAt('tenants.signing_secret', tenantId))
  }

  /**
   * The former secret, sealed for its new column; null: its master key is lost, so it can't sign
   * any more.
   */
  function formerSecret(tenantId: string, sealed: string): string | null {
    try {
      const place = sealedAt('tenants.previous_signing_secret', tenantId)
      return deps.seal.seal(open(tenantId, sealed), place)
    } catch {
      return null
    }
  }

  return {
    async getSigningSecret({ caller }) {
      const tenant = await deps.database.tenant.findUniqueOrThrow({
        where: { id: caller.tenantId },
        select: { signingSecret: true, previousValidUntil: true },
      })
      const until = tenant.previousValidUntil
      const previousValidUntil =
        until !== null && until.getTime() > deps.now() ? until.toISOString() : null
      return { signingSecret: open(caller.tenantId, tenant.signingSecret), previousValidUntil }
    },

    async rotateSigningSecret({ caller, body, audit }) {
      const { tenantId } = caller
      const signingSecret = body.newSecret ?? newSigningSecret()
      const sealed = deps.seal.seal(signingSecret, sealedAt('tenants.signing_secret', tenantId))
      const grace = body.gracePeriodMinutes
      const rows = await deps.database.$transaction(async (transaction) => {
        // Locked, so that two concurrent rotations can't both keep the same secret as the previous
        // one.
        const [before] = await transaction.$queryRaw<[{ secret: string }]>`
          SELECT signing_secret AS secret FROM tenants WHERE id = ${tenantId}::uuid FOR UPDATE`
        const former = grace > 0 ? formerSecret(tenantId, before.secret) : null
        const changes = [{ field: 'signingSecret', from: '…', to: secretHint(signingSecret) }]
        const metadata = { gracePeriodMinutes: grace }
        await recordAudit(transaction, audit, { resourceId: tenantId, changes, metadata })
        return await transaction.$queryRaw<{ until: Date | null }[]>`
          UPDATE tenants SET signing_secret = ${sealed}, previous_signing_secret = ${former},
            previous_valid_until = CASE WHEN ${former}::text IS NOT NULL
              THEN now() + ${grace}::int * interval '1 minute' END,
            config_version = config_version + 1
          WHERE id = ${tenantId}::uuid RETURNING previous_valid_until AS until`
      })
      deps.announceChange(tenantId, 'secrets')
      return { signingSecret, previousValidUntil: rows[0]?.until?.toISOString() ?? null }
    },
  }
}
