/** All files that `npm run deployment` writes, by their path from the root. */
import { caddyfile } from './caddyfile.ts'
import { pathRules } from './path-rules.ts'

export function deploymentFiles(): Record<string, string> {
  const rules = pathRules()
  return {
    'deploy/gateway/Caddyfile': caddyfile(rules),
    'k8s/posthorn/files/paths.json': `${JSON.stringify({ rules }, null, 2)}\n`,
  }
}
