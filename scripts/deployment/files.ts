/** All files that `npm run deployment` writes, by their path from the root. */
import { rulesFile } from './alerts.ts'
import { caddyfile } from './caddyfile.ts'
import { chartEgress, chartPaths } from './chart-files.ts'
import { dashboardFile, DASHBOARDS } from './dashboards.ts'
import { pathRules } from './path-rules.ts'

export function deploymentFiles(): Record<string, string> {
  const rules = pathRules()
  const dashboards = DASHBOARDS.map((dashboard): [string, string] => [
    `deploy/grafana/dashboards/${dashboard.uid}.json`,
    dashboardFile(dashboard),
  ])
  return {
    'deploy/gateway/Caddyfile': caddyfile(rules),
    'deploy/prometheus/rules.yml': rulesFile(),
    'k8s/posthorn/files/rules.yml': rulesFile(),
    'k8s/posthorn/files/paths.json': json(chartPaths(rules)),
    'k8s/posthorn/files/egress.json': json(chartEgress()),
    ...Object.fromEntries(dashboards),
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
