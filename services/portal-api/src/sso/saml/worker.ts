/** The worker thread of the SAML verifier: one task at a time. */
import { type MessagePort, parentPort } from 'node:worker_threads'
import { readIdpMetadata } from './read-idp-metadata.ts'
import type { SamlTask, SamlWorkerMessage } from './saml-protocol.ts'
import { verifyResponse } from './verify-response.ts'

const port = parentPort as MessagePort

async function run(task: SamlTask): Promise<void> {
  const result =
    task.kind === 'metadata'
      ? await readIdpMetadata(task.xml)
      : await verifyResponse(task.xml, task.expected)
  post({ ready: false, result })
}

function post(message: SamlWorkerMessage): void {
  port.postMessage(message)
}

// What is thrown ends the thread, and the verifier starts another.
port.on('message', (task: SamlTask) => void run(task))
post({ ready: true })
