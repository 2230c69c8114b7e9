/**
 * Kubernetes' own programs: etcd, the API server, its controllers, the scheduler, kubectl, and
 * kwok, which plays nodes. Go builds them once into a cache folder of the user's, from the versions
 * that `control-plane/go.mod` pins: some ten minutes on two cores.
 */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cacheHome } from '@posthorn/local-stores/kafka-jars'

const MODULE = fileURLToPath(new URL('control-plane', import.meta.url))
export const BUILD_TIMEOUT_MS = 1_500_000
/** Go gives a program that is built as a dependency no version, which helm and kubectl ask for. */
const VERSION = 'v1.36.3'
const FLAGS = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
  .map((path) => `-X ${path}.gitVersion=${VERSION}`)
  .join(' ')

export interface ControlPlane {
  etcd: string
  apiserver: string
  controllers: string
  scheduler: string
  kubectl: string
  kwok: string
  /** How kwok makes its nodes ready. */
  nodeStage: string
}

export async function ensureControlPlane(): Promise<ControlPlane> {
  const sum = await readFile(join(MODULE, 'go.sum'))
  const hash = createHash('sha256').update(sum).update(VERSION).digest('hex').slice(0, 12)
  const folder = join(cacheHome(), 'posthorn', `control-plane-${hash}`)
  const isThere = await access(folder).then(
    () => true,
    () => false,
  )
  if (!isThere) await build(folder)
  return {
    // Go names a program after its folder.
    etcd: join(folder, 'server'),
    apiserver: join(folder, 'kube-apiserver'),
    controllers: join(folder, 'kube-controller-manager'),
    scheduler: join(folder, 'kube-scheduler'),
    kubectl: join(folder, 'kubectl'),
    kwok: join(folder, 'kwok'),
    nodeStage: join(folder, 'node-initialize.yaml'),
  }
}

async function build(folder: string): Promise<void> {
  if (spawnSync('go', ['version']).status !== 0) {
    throw new Error('There is no Go on the PATH to build Kubernetes with: install Go 1.26 or newer')
  }
  await mkdir(join(folder, '..'), { recursive: true })
  const draft = await mkdtemp(`${folder}.new-`)
  process.stderr.write(`building Kubernetes ${VERSION} with Go, once: some ten minutes\n`)
  const env = {
    ...process.env,
    GOBIN: draft,
    // A gigabyte while it links: not among temporary files, which may be in memory.
    GOTMPDIR: draft,
    GOFLAGS: '-mod=readonly',
    CGO_ENABLED: '0',
  }
  const go = async (...args: string[]): Promise<string> => {
    const options = { cwd: MODULE, env, timeout: BUILD_TIMEOUT_MS }
    return (await promisify(execFile)('go', args, options)).stdout.trim()
  }
  try {
    await go('install', '-trimpath', `-ldflags=-s -w ${FLAGS}`, 'tool')
    const kwok = await go('list', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/kwok')
    const stage = 'node-initialize.yaml'
    await copyFile(join(kwok, 'kustomize/stage/node/fast', stage), join(draft, stage))
    await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error // another was first
    })
  } catch (cause) {
    const reason = (cause as Error).message.slice(-600)
    throw new Error(`Go could not build Kubernetes: ${reason}`, { cause })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
