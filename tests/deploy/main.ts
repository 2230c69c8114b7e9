/**
 * `npm run deploy-tools`: builds with Go, once, the programs that tests of the deployment need and
 * that are not on the PATH: helm (some minutes), kubeconform, and the reader of Compose files; and
 * fetches the schemas of Kubernetes with pip.
 * Caddy, promtool, Prometheus, buildah and tini come from packages of the system's.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheHome } from '@posthorn/local-stores/kafka-jars'
import { findTool, HELM, SCHEMAS, type ToolName } from './find-tool.ts'

const folder = join(cacheHome(), 'posthorn', 'deploy-tools')
const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
const flags = ['-trimpath', '-ldflags=-s -w']
const BUILDS: Partial<Record<ToolName, { args: string[]; cwd?: string }>> = {
  helm: { args: ['install', ...flags, `${HELM.package}@v${HELM.version}`] },
  kubeconform: {
    args: ['install', ...flags, 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0'],
  },
  'compose-check': {
    args: ['build', ...flags, '-o', join(folder, 'compose-check'), '.'],
    cwd: fileURLToPath(new URL('compose-check', import.meta.url)),
  },
}

mkdirSync(folder, { recursive: true })
for (const [name, { args, cwd }] of Object.entries(BUILDS)) {
  if (findTool(name as ToolName) !== undefined) continue
  process.stderr.write(`building ${name} ...\n`)
  const { status } = spawnSync('go', args, { env, cwd, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
if (!existsSync(SCHEMAS)) {
  process.stderr.write('fetching the schemas of Kubernetes ...\n')
  const wheels = join(folder, 'wheels')
  const pip = ['download', '--quiet', '--no-deps', '--dest', wheels, 'kubernetes-validate==1.37.0']
  if (spawnSync('pip', pip, { stdio: 'inherit' }).status === 0) {
    const script = fileURLToPath(new URL('unpack-schemas.py', import.meta.url))
    const [wheel = ''] = readdirSync(wheels)
    spawnSync('python3', [script, join(wheels, wheel), SCHEMAS], { stdio: 'inherit' })
  } else process.exitCode = 1
}
for (const name of ['caddy', 'promtool', 'prometheus', 'buildah', 'tini-static'] as const) {
  if (findTool(name) !== undefined) continue
  process.stderr.write(
    `${name} is missing: install it (Debian: apt-get install caddy prometheus buildah tini)\n`,
  )
}
