/** What the chart has from the code: the paths of routes, and where services may send to. */
import { SPECIAL_V4, SPECIAL_V6 } from '@posthorn/egress/addresses'
import { OTHERWISE, type PathRule } from './path-rules.ts'

/** Services that call addresses which customers or platforms give. */
export const CALLING_OUT = ['alerting', 'dispatcher', 'inbound-receiver', 'portal-api']

/** A NetworkPolicy allows 2000::/3, so it excepts only what is inside. */
const INSIDE_GLOBAL_V6 = /^[23][0-9a-f]{3}:/
const SIX_TO_FOUR = '2002::/16'

export function chartPaths(rules: readonly PathRule[]): unknown {
  const order = [...new Set(rules.map(({ service }) => service))]
  return { otherwise: OTHERWISE, order, rules }
}

export function chartEgress(): unknown {
  const exceptV6 = SPECIAL_V6.map(([cidr]) => cidr).filter((cidr) => INSIDE_GLOBAL_V6.test(cidr))
  return {
    services: CALLING_OUT,
    exceptV4: SPECIAL_V4.map(([cidr]) => cidr),
    exceptV6: [...exceptV6, SIX_TO_FOUR],
  }
}
