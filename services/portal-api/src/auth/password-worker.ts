/** The thread that hashes and verifies passwords: one task at a time (password-threads.ts). */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import { LOW_PRIORITY, PARAMETERS, type PasswordTask } from './password-protocol.ts'

const port = parentPort as MessagePort

/** Linux gives each thread a priority of its own; elsewhere this one keeps the process's. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  const thread = readlinkSync('/proc/thread-self').split('/').at(-1)
  setPriority(Number(thread), LOW_PRIORITY)
}

function run(task: PasswordTask): string | boolean {
  if (task.kind === 'hash') return hashSync(task.password, PARAMETERS)
  try {
    return verifySync(task.stored, task.password)
  } catch {
    // A stored text that is no hash matches nothing.
    return false
  }
}

lowerPriority()
port.on('message', (task: PasswordTask) => port.postMessage(run(task)))
