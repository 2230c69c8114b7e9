/** `npm run presets`: writes the indexes of the platforms, and their table in `docs/inbound.md`. */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'scripts/presets/main.ts', [])
