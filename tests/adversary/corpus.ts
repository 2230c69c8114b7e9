/** All attacks. Each part of the product that takes input has a file with a list of its own. */
import type { Attack } from './attack.ts'
import { CONFIGURED } from './attacks/configured.ts'
import { GENERATED } from './attacks/generated.ts'
import { INBOUND } from './attacks/inbound.ts'
import { KEY_IDS } from './attacks/key-ids.ts'
import { KEYS } from './attacks/keys.ts'
import { LARGE_BODIES } from './attacks/large-bodies.ts'
import { PAYLOADS } from './attacks/payloads.ts'
import { REQUESTS } from './attacks/requests.ts'
import { STRANGERS } from './attacks/strangers.ts'

export const CORPUS: readonly Attack[] = [
  ...INBOUND,
  ...KEY_IDS,
  ...CONFIGURED,
  ...PAYLOADS,
  ...KEYS,
  ...REQUESTS,
  ...LARGE_BODIES,
  ...STRANGERS,
  ...GENERATED,
]
