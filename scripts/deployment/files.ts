/** All files that `npm run deployment` writes, by their path from the root. */
import { caddyfile } from './caddyfile.ts'
import { chartEgress, chartPaths } from './chart-files.ts'
import { pathRules } from './path-rules.ts'

export function deploymentFiles(): Record<string, string> {
  const rules = pathRules()
  return {
    'deploy/gateway/Caddyfile': caddyfile(rules),
    'k8s/posthorn/files/paths.json': json(chartPaths(rules)),
    'k8s/posthorn/files/egress.json': json(chartEgress()),
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
