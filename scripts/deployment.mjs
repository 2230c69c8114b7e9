/** `npm run deployment`: writes the gateway's paths, the chart's, and the dashboards. */
import { handOver, prepare } from './prepare.mjs'

handOver(prepare(), 'scripts/deployment/main.ts', [])
