/**
 * Sets the way out up from the settings: what a destination may be when it is written down, and
 * when something is sent to it.
 */
import {
  createDestinationChecker,
  type DestinationChecker,
  type DemoReceiverAddress,
} from '@posthorn/egress/check-destination'
import { createEgress, type Egress } from '@posthorn/egress/egress'
import type { Settings } from '@posthorn/runtime/config'

/** @param demoReceiver `standalone`'s: the only loopback address that needs no exemption */
export function openDestinationChecker(
  settings: Settings,
  demoReceiver?: DemoReceiverAddress,
): DestinationChecker {
  const { EGRESS_ALLOW_CIDRS: allowCidrs, REQUIRE_HTTPS: requireHttps } = settings
  return createDestinationChecker({ allowCidrs, requireHttps, demoReceiver })
}

export function openEgress(settings: Settings, demoReceiver?: DemoReceiverAddress): Egress {
  return createEgress({
    allowCidrs: settings.EGRESS_ALLOW_CIDRS,
    requireHttps: settings.REQUIRE_HTTPS,
    maxResponseBodyBytes: settings.MAX_RESPONSE_BODY_BYTES,
    demoReceiver,
  })
}
