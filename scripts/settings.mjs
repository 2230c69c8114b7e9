/** `npm run settings`: writes `.env.example` and the README's table of settings from their schema. */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'scripts/settings/main.ts', [])
