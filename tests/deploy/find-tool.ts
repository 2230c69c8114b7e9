/**
 * Finds a program that tests of the deployment need: on the PATH, or built by `npm run
 * deploy-tools` into a cache folder of the user's.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { cacheHome } from '@posthorn/local-stores/kafka-jars'

/** A folder of JSON schemas for each version of Kubernetes that the chart is checked against. */
export const SCHEMAS = join(cacheHome(), 'posthorn', 'deploy-tools', 'kubernetes-schemas')

/** Built where no helm is on the PATH. */
export const HELM = {
  name: 'helm',
  version: '4.3.1',
  package: 'helm.sh/helm/v4/cmd/helm',
  what: 'the package manager of Kubernetes',
}

export type ToolName =
  | 'helm'
  | 'jq'
  | 'python3'
  | 'kubeconform'
  | 'compose-check'
  | 'caddy'
  | 'promtool'
  | 'prometheus'
  | 'kubernetes-schemas'
  | 'pg_dump'
  | 'go'
  | 'buildah'
  | 'tini-static'
  | 'gcc'
  | 'unshare'
  | 'setpriv'

export function findTool(name: ToolName): string | undefined {
  const cached = join(cacheHome(), 'posthorn', 'deploy-tools', name)
  if (existsSync(cached)) return cached
  // Debian has the server, whose version a dump must have, beside it: not on the PATH.
  if (name === 'pg_dump') return globSync('/usr/lib/postgresql/*/bin/pg_dump').toSorted().at(-1)
  // A view of the files of its own is for root alone, and not in every container.
  if (name === 'unshare' && spawnSync(name, ['--mount', 'true']).status !== 0) return undefined
  // It is copied, so its place is needed.
  if (name === 'tini-static') return globSync('/usr/bin/tini-static')[0]
  return spawnSync(name, ['--help'], { timeout: 10_000 }).error === undefined ? name : undefined
}
