/**
 * Verifies SAML responses and reads metadata on worker threads, one task at a time with a limit of
 * its own: a thread that is over it is ended and replaced. Hostile XML costs its own workspace:
 * workspaces are served in turn, each has a share of the queue, and one whose XML was slow is
 * served for a minute on the careful thread, where nobody waits behind it but others like it.
 *
 * Threads start with the first task; loading the libraries takes 150 to 400 ms.
 */
import { setNewest } from '@posthorn/async/bounded-map'
import { createSamlQueue, type SamlBusy, type SamlJob, type SamlQueueDeps } from './saml-queue.ts'
import { readSamlMetadata, readSamlResponse } from './read-saml-text.ts'
import type {
  SamlExpectations,
  SamlIdentity,
  SamlIdpMetadata,
  SamlTask,
  SamlTaskResult,
} from './saml-protocol.ts'

export interface SamlVerifierConfig {
  /** Default: 2 s. */
  limitMs?: number
}

export type SamlVerifierDeps = Pick<SamlQueueDeps, 'onReplaced'>

interface SamlRefusal {
  outcome: 'refused'
  reason: string
}

export interface SamlVerifier {
  /** @param response the form field `SAMLResponse` */
  verify(
    tenantId: string,
    response: string,
    expected: SamlExpectations,
  ): Promise<{ outcome: 'identity'; identity: SamlIdentity } | SamlRefusal | SamlBusy>
  readMetadata(
    tenantId: string,
    xml: string,
  ): Promise<{ outcome: 'metadata'; metadata: SamlIdpMetadata } | SamlRefusal | SamlBusy>
  /** What still waits is answered as busy. */
  close(): Promise<void>
}

const LIMIT_MS = 2_000
/** A response of 6.4 KB takes 13 ms. */
const SLOW_MS = 250
const CAREFUL_FOR_MS = 60_000
/** Some 100 bytes each. */
const MAX_CAREFUL = 10_000

export function createSamlVerifier(
  { limitMs = LIMIT_MS }: SamlVerifierConfig,
  deps: SamlVerifierDeps,
): SamlVerifier {
  /** Workspaces whose XML was slow, with the time until which they are served carefully. */
  const slow = new Map<string, number>()
  const queueDeps = {
    onReplaced: deps.onReplaced,
    onTook({ tenantId }: SamlJob, ms: number) {
      if (ms < SLOW_MS) return
      setNewest(slow, tenantId, performance.now() + CAREFUL_FOR_MS, MAX_CAREFUL)
    },
  }
  const quick = createSamlQueue({ limitMs }, queueDeps)
  const careful = createSamlQueue({ limitMs }, queueDeps)

  function run(tenantId: string, task: SamlTask): Promise<SamlTaskResult | SamlBusy> {
    const queue = (slow.get(tenantId) ?? 0) > performance.now() ? careful : quick
    return new Promise((resolve) => queue.add({ tenantId, task, end: resolve }))
  }

  return {
    async verify(tenantId, response, expected) {
      const text = readSamlResponse(response)
      if (text.outcome !== 'ok') return text
      const result = await run(tenantId, { kind: 'response', xml: text.xml, expected })
      return result.outcome === 'metadata' ? UNEXPECTED : result
    },
    async readMetadata(tenantId, xml) {
      const text = readSamlMetadata(xml)
      if (text.outcome !== 'ok') return text
      const result = await run(tenantId, { kind: 'metadata', xml: text.xml })
      return result.outcome === 'identity' ? UNEXPECTED : result
    },
    async close() {
      await Promise.all([quick.close(), careful.close()])
    },
  }
}

const UNEXPECTED: SamlRefusal = { outcome: 'refused', reason: 'another task was answered' }
