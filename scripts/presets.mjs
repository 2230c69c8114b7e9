/** `npm run presets`: writes the table of platforms in `docs/inbound.md` from their presets. */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'scripts/presets/main.ts', [])
