/**
 * Rotates an endpoint's secret, which makes no version. Whatever signed until now (its own secret, or the global one)
 * is kept sealed and goes on signing beside the new one while the grace lasts. Of two rotations within one grace the
 * second one's grace counts: the first secret of the three ends.
 */
import { newSigningSecret, secretHint } from '@posthorn/domain/signature'
import type { Handlers } from '@posthorn/http/handlers'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import type { Database } from '@posthorn/store/prisma'
import type { Seal } from '@posthorn/store/seal'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { lockEndpoint, toEndpoint } from './endpoint-record.ts'

export interface RotateSecretDeps {
  database: Pick<Database, '$transaction'>
  seal: Pick<Seal, 'seal'>
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

export function createRotateSecret(
  deps: RotateSecretDeps,
): Handlers<'portal-api'>['rotateEndpointSecret'] {
  return async ({ caller, params, body }) => {
    const { tenantId } = caller
    const id = params['id'] ?? ''
    const signingSecret = body.newSecret ?? newSigningSecret()
    const grace = body.gracePeriodMinutes
    const row = await deps.database.$transaction(async (transaction) => {
      const before = await lockEndpoint(transaction, caller, id)
      if (before === null) throw notFound('endpoint')
      // Postgres's time, for dispatchers end the grace by it.
      const [tenant] = await transaction.$queryRaw<[{ secret: string; until: Date }]>`
        SELECT signing_secret AS secret, now() + ${grace}::int * interval '1 minute' AS until
        FROM tenants WHERE id = ${tenantId}::uuid`
      const after = await transaction.endpoint.update({
        where: { tenantId_id: { tenantId, id } },
        data: {
          signingSecret: deps.seal.seal(signingSecret),
          signingSecretHint: secretHint(signingSecret),
          previousSigningSecret: grace > 0 ? (before.signingSecret ?? tenant.secret) : null,
          previousValidUntil: grace > 0 ? tenant.until : null,
          updatedAt: new Date(deps.now()),
        },
      })
      await bumpConfigVersion(transaction, tenantId)
      return after
    })
    deps.announceChange(tenantId, 'secrets')
    const previousValidUntil = row.previousValidUntil?.toISOString() ?? null
    return { ...toEndpoint(row), signingSecret, previousValidUntil }
  }
}
