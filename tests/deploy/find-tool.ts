/**
 * Finds a program that tests of the deployment need: on the PATH, or built by `npm run
 * deploy-tools` into a cache folder of the user's.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cacheHome } from '@posthorn/local-stores/kafka-jars'

export type ToolName =
  | 'helm'
  | 'kubeconform'
  | 'compose-check'
  | 'caddy'
  | 'promtool'
  | 'prometheus'

export function findTool(name: ToolName): string | undefined {
  const cached = join(cacheHome(), 'posthorn', 'deploy-tools', name)
  if (existsSync(cached)) return cached
  return spawnSync(name, ['--help']).error === undefined ? name : undefined
}
