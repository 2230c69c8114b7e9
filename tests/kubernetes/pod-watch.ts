/**
 * Follows every change of a namespace's pods, as the API server tells them, and keeps the lowest
 * number of ready pods that each service had: no change between two samples can be missed.
 */
import { eventually } from '@posthorn/testing/eventually'
import type { Manifest } from '../deploy/tools.ts'
import type { Cluster } from './start-cluster.ts'

export interface PodWatch {
  /** How many changes were seen. */
  changes(): number
  /** The fewest ready pods of each service since the watch began, every change until now seen. */
  lowest(): Promise<Record<string, number>>
  stop(): Promise<void>
}

interface Change {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'ERROR'
  object: Manifest
}

export async function listPods(cluster: Cluster, namespace: string): Promise<Manifest> {
  const answer = await cluster.ask(`/api/v1/namespaces/${namespace}/pods`)
  return (await answer.json()) as Manifest
}

/** A pod that is about to end gets no new requests, whatever its condition says. */
export function isServing({ metadata, status }: Manifest): boolean {
  const ready = (status.conditions ?? []).find(({ type }: Manifest) => type === 'Ready')
  return ready?.status === 'True' && metadata.deletionTimestamp === undefined
}

export async function watchPods(cluster: Cluster, namespace: string): Promise<PodWatch> {
  const list = await listPods(cluster, namespace)
  const pods = new Map<string, Manifest>()
  for (const pod of list['items']) pods.set(pod.metadata.uid, pod)
  const lowest = countServing(pods.values())
  let changes = 0
  let failure: Error | undefined

  const take = ({ type, object }: Change): void => {
    if (type === 'ERROR') throw new Error(`the watch failed: ${JSON.stringify(object)}`)
    changes += 1
    if (type === 'DELETED') pods.delete(object['metadata'].uid)
    else pods.set(object['metadata'].uid, object)
    const counts = countServing(pods.values())
    for (const [service, count] of Object.entries(lowest))
      lowest[service] = Math.min(count, counts[service] ?? 0)
  }
  const ending = new AbortController()
  const query = `watch=1&resourceVersion=${list['metadata'].resourceVersion}`
  const path = `/api/v1/namespaces/${namespace}/pods?${query}`
  const { body } = await cluster.ask(path, { signal: ending.signal })
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of body ?? []) {
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) take(JSON.parse(line) as Change)
    }
    throw new Error('the API server ended the watch')
  }
  const reading = read().catch((error: Error) => {
    failure = error
  })
  return {
    changes: () => changes,
    async lowest() {
      const now = versions((await listPods(cluster, namespace))['items'])
      await eventually(() => {
        if (failure !== undefined) throw failure
        return versions(pods.values()) === now
      })
      return { ...lowest }
    },
    async stop() {
      ending.abort()
      await reading
    },
  }
}

function countServing(pods: Iterable<Manifest>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const pod of pods) {
    const service = String(pod['metadata'].labels?.['app.kubernetes.io/component'])
    // What runs once is no service.
    if (pod['spec'].restartPolicy !== 'Always') continue
    counts[service] = (counts[service] ?? 0) + (isServing(pod) ? 1 : 0)
  }
  return counts
}

function versions(pods: Iterable<Manifest>): string {
  return [...pods]
    .map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`)
    .toSorted()
    .join()
}
