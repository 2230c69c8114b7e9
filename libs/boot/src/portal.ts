/** Opens what the services with routes of the portal need to let sub-accounts' sessions in. */
import { createPortalSessions, type PortalSessions } from '@posthorn/http/portal-sessions'
import { createPortalTokens } from '@posthorn/http/portal-tokens'
import type { Seal } from '@posthorn/store/seal'
import {
  findSubAccountSessions,
  recordSubAccountSessionUses,
} from '@posthorn/store/sub-account-sessions'
import type { Clients } from './clients.ts'

type PortalSettings = Pick<
  Clients['settings'],
  | 'BRAND'
  | 'DEFAULT_PLAN'
  | 'PORTAL_URL'
  | 'SUBACCOUNT_JWT_SECRET'
  | 'SUBACCOUNT_CROSS_SITE_EMBED'
  | 'SUBACCOUNT_ALLOWED_FRAME_ANCESTORS'
>

interface PortalClients extends Pick<Clients, 'pool'> {
  seal: Pick<Seal, 'deriveKeys'>
  settings: PortalSettings
}

/** @param publicUrl where people reach this installation */
export function openPortalSessions(
  { pool, seal, settings }: PortalClients,
  publicUrl: string,
): PortalSessions {
  const portalUrl = (settings.PORTAL_URL ?? publicUrl).replace(/\/+$/, '')
  const secret = settings.SUBACCOUNT_JWT_SECRET
  const keys =
    secret === undefined ? seal.deriveKeys('sub-account sessions') : [Buffer.from(secret)]
  return createPortalSessions(
    {
      brand: settings.BRAND,
      origins: [...new Set([publicUrl, portalUrl].map((url) => new URL(url).origin))],
      portalUrl,
      crossSite: settings.SUBACCOUNT_CROSS_SITE_EMBED,
      frameAncestors: settings.SUBACCOUNT_ALLOWED_FRAME_ANCESTORS,
      defaultPlan: settings.DEFAULT_PLAN,
    },
    {
      tokens: createPortalTokens(keys, Date.now),
      find: (references) => findSubAccountSessions(pool, references),
      recordUses: (uses) => recordSubAccountSessionUses(pool, uses),
    },
  )
}
