/** `npm run settings`: writes `.env.example`, docs/settings.md's table and docs/operations.md's. */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'scripts/settings/main.ts', [])
