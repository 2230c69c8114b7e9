import { expect, test } from '@jest/globals'
import type { OwnedBacklog } from '@posthorn/store/pipeline/backlogs'
import { type LeavingParts, leave } from './shut-down.ts'
import { createMutex } from './mutex.ts'

const log = { warn: () => expect(true).toBe(false) }

function backlog(targetId: string): OwnedBacklog {
  return { tenantId: 't', targetId, endpointId: null, epoch: 1, token: 1 }
}

/** Parts in which nothing is under way; what each is asked goes to `told`. */
function parts(told: string[], over: Partial<LeavingParts> = {}): LeavingParts {
  return {
    consume: { stop: () => told.push('consume stopped'), idle: async () => undefined },
    backlogs: { stop: () => [], idle: async () => undefined },
    lines: { drain: () => [] },
    parking: { drain: () => [], idle: async () => undefined },
    recorder: { idle: async () => undefined, giveUp: () => undefined },
    works: new Map(),
    turns: createMutex(),
    releaseLeases: async (held) => void told.push(`released ${held.map(({ id }) => id).join()}`),
    leaveGroup: async () => void told.push('group left'),
    quiet: async () => undefined,
    close: () => told.push('closed'),
    ...over,
  }
}

test('others read its partitions while its tries end, and not before what it took is taken on', async () => {
  const told: string[] = []
  const admitted = Promise.withResolvers<void>()
  const tries = Promise.withResolvers<void>()
  const left = leave(
    parts(told, {
      consume: { stop: () => told.push('consume stopped'), idle: () => admitted.promise },
      quiet: () => tries.promise,
    }),
    log,
    60_000,
  )
  expect(told).toEqual(['consume stopped'])
  admitted.resolve()
  await new Promise(setImmediate)
  expect(told).toEqual(['consume stopped', 'group left'])
  tries.resolve()
  await left
  expect(told).toEqual(['consume stopped', 'group left', 'closed'])
})

test('what is parked while it leaves makes backlogs that it gives back as well', async () => {
  const told: string[] = []
  const held = [[backlog('at first')], [backlog('by a parking under way')], [backlog('at last')]]
  const backlogs = { stop: () => held.shift() ?? [], idle: async () => undefined }
  await leave(parts(told, { backlogs }), log, 60_000)
  expect(told.filter((one) => one.startsWith('released'))).toEqual([
    'released at first,by a parking under way',
    'released at last',
  ])
})
