/** Sets the way to targets up from the settings. */
import type { Settings } from '@posthorn/runtime/config'
import { createSendToTarget, type TargetSender } from './targets/send-to-target.ts'

type TargetSettings = Pick<
  Settings,
  'EGRESS_ALLOW_CIDRS' | 'REQUIRE_HTTPS' | 'BRAND' | 'SMTP_URL' | 'MAIL_FROM'
>

/**
 * The worker leaves a target alone by itself, for longer with each failure. A breaker of a host
 * opens only when so many notifications fail there that it is not one of them that is at fault.
 */
const BREAKER = { failures: 10, pauseMs: 15_000 }

/** @param version of this installation, for the `User-Agent` */
export function openTargets(settings: TargetSettings, version: string): TargetSender {
  const { BRAND: brand, SMTP_URL: url, MAIL_FROM: from } = settings
  return createSendToTarget(
    {
      allowCidrs: settings.EGRESS_ALLOW_CIDRS,
      requireHttps: settings.REQUIRE_HTTPS,
      brand,
      userAgent: `${brand}/${version}`,
      operatorMail: url === undefined || from === undefined ? undefined : { url, from },
      breaker: BREAKER,
    },
    { now: Date.now },
  )
}
