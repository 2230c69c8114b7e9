import { expect, test } from '@jest/globals'
import type { OwnedBacklog } from '@posthorn/store/pipeline/backlogs'
import { type ShutDownDeps, shutDown } from './shut-down.ts'
import { createMutex } from '@posthorn/async/mutex'

function backlog(targetId: string): OwnedBacklog {
  return { tenantId: 't', targetId, endpointId: null, epoch: 1, token: 1 }
}

/** Rooms in which nothing is under way; what each is asked goes to `told`. */
function rooms(told: string[], over: Partial<ShutDownDeps> = {}): ShutDownDeps {
  return {
    intake: { stop: () => told.push('intake stopped'), idle: async () => undefined },
    backlogs: { stop: () => [], idle: async () => undefined },
    scheduler: { drain: () => [] },
    attempts: { quiet: async () => undefined },
    parking: { drain: () => [], idle: async () => undefined },
    recorder: { idle: async () => undefined, giveUp: () => told.push('recorder gave up') },
    inFlight: { forget: () => undefined },
    statements: {
      releaseLeases: async (rows) => void told.push(`released ${rows.map(({ id }) => id).join()}`),
    },
    mutex: createMutex(),
    leaveGroup: async () => void told.push('group left'),
    log: { warn: () => expect(true).toBe(false) },
    ...over,
  }
}

test('others read its partitions while its attempts end, once what it took is taken on', async () => {
  const told: string[] = []
  const admitted = Promise.withResolvers<void>()
  const attempts = Promise.withResolvers<void>()
  const left = shutDown(
    rooms(told, {
      intake: { stop: () => told.push('intake stopped'), idle: () => admitted.promise },
      attempts: { quiet: () => attempts.promise },
    }),
    60_000,
  )
  expect(told).toEqual(['intake stopped'])
  admitted.resolve()
  await new Promise(setImmediate)
  expect(told).toEqual(['intake stopped', 'group left'])
  attempts.resolve()
  await left
  expect(told).toEqual(['intake stopped', 'group left', 'recorder gave up'])
})

test('what is parked while it stops makes backlogs that it gives back as well', async () => {
  const told: string[] = []
  const owned = [[backlog('at first')], [backlog('by a parking under way')], [backlog('at last')]]
  const backlogs = { stop: () => owned.shift() ?? [], idle: async () => undefined }
  await shutDown(rooms(told, { backlogs }), 60_000)
  expect(told.filter((one) => one.startsWith('released'))).toEqual([
    'released at first,by a parking under way',
    'released at last',
  ])
})
