/**
 * Rotates an endpoint's secret, which makes no version. The secret that signed until now (its own,
 * or the global one) is kept sealed and signs beside the new one during the grace period. With two
 * rotations within one grace period the second one's counts, and the first of the three secrets
 * ends at once.
 */
import { newSigningSecret, secretHint } from '@posthorn/domain/signature'
import type { Handlers } from '@posthorn/http/handlers'
import { recordAudit } from '@posthorn/store/audit/record-audit'
import { bumpConfigVersion } from '@posthorn/store/config-version'
import type { Endpoint } from '@posthorn/store/generated/client'
import type { Database } from '@posthorn/store/prisma'
import { type Seal, sealedAt } from '@posthorn/store/seal'
import type { AnnounceChange } from '../config-changes.ts'
import { notFound } from '../refusals.ts'
import { endpointChanges, lockEndpoint, toEndpoint } from './endpoint-record.ts'
import { placeOf, renewedSecrets } from './seal-columns.ts'

export interface RotateSecretDeps {
  database: Pick<Database, '$transaction'>
  seal: Seal
  announceChange: AnnounceChange
  /** Postgres's time, in milliseconds since 1970. */
  now: () => number
}

export function createRotateSecret(
  deps: RotateSecretDeps,
): Handlers<'portal-api'>['rotateEndpointSecret'] {
  return async ({ caller, params, body, audit }) => {
    const { tenantId } = caller
    const id = params['id'] ?? ''
    const signingSecret = body.newSecret ?? newSigningSecret()
    const grace = body.gracePeriodMinutes
    const row = await deps.database.$transaction(async (transaction) => {
      const before = await lockEndpoint(transaction, caller, id)
      if (before === null) throw notFound('endpoint')
      // Postgres's time, because dispatchers end the grace period by it.
      const [tenant] = await transaction.$queryRaw<[{ secret: string; until: Date }]>`
        SELECT signing_secret AS secret, now() + ${grace}::int * interval '1 minute' AS until
        FROM tenants WHERE id = ${tenantId}::uuid`
      const former = grace > 0 ? formerSecret(deps.seal, before, tenant.secret) : null
      const after = await transaction.endpoint.update({
        where: { tenantId_id: { tenantId, id } },
        data: {
          ...renewedSecrets(deps.seal, before),
          signingSecret: deps.seal.seal(signingSecret, placeOf('signingSecret', before)),
          signingSecretHint: secretHint(signingSecret),
          previousSigningSecret: former,
          previousValidUntil: former === null ? null : tenant.until,
          updatedAt: new Date(deps.now()),
        },
      })
      const changes = endpointChanges(before, after)
      const metadata = { gracePeriodMinutes: grace }
      await recordAudit(transaction, audit, { resourceId: id, changes, metadata })
      await bumpConfigVersion(transaction, tenantId)
      return after
    })
    deps.announceChange(tenantId, 'secrets')
    const previousValidUntil = row.previousValidUntil?.toISOString() ?? null
    return { ...toEndpoint(row), signingSecret, previousValidUntil }
  }
}

/**
 * The former secret, sealed for its new column; null: its master key is lost, so it can't sign any
 * more.
 */
function formerSecret(seal: Seal, endpoint: Endpoint, global: string): string | null {
  const { tenantId, signingSecret: own } = endpoint
  try {
    const secret =
      own === null
        ? seal.open(global, sealedAt('tenants.signing_secret', tenantId))
        : seal.open(own, placeOf('signingSecret', endpoint))
    return seal.seal(secret, placeOf('previousSigningSecret', endpoint))
  } catch {
    return null
  }
}
