/** The requests of portal sessions: a session's rate, its sub-account's, and the workspace's. */
import { type IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from '@jest/globals'
import { PLANS, type PlanName } from '@posthorn/domain/plans'
import { createInProcessState } from '@posthorn/state/in-process-state'
import { enterPortal } from './enter-portal.ts'
import type { PortalSessions } from './portal-sessions.ts'

const request = { headers: {}, method: 'GET' } as IncomingMessage

/** Sessions by number, two of each sub-account, that all belong to one workspace. */
function createStage(plan: PlanName) {
  const state = createInProcessState({}, { nowMs: () => 0 })
  return async (session: number): Promise<string> => {
    const subAccount = Math.floor(session / 2)
    const portal = {
      identify: () => ({ jti: `session ${session}` }),
      checkOrigin() {},
      enter: async () => ({
        plan,
        tenantId: `sub-account ${subAccount}`,
        parent: { tenantId: 'workspace' },
      }),
    } as unknown as PortalSessions
    const deps = { portal, now: () => 0, takeToken: state.takeToken }
    const access = { by: 'sub-account', capability: null } as const
    return await enterPortal(access, request, new ServerResponse(request), deps).then(
      () => 'in',
      (error: Error) => error.message,
    )
  }
}

async function count(enter: (session: number) => Promise<string>, session: number, times: number) {
  const answers: string[] = []
  for (let nth = 0; nth < times; nth += 1) answers.push(await enter(session))
  const refused = answers.filter((answer) => answer !== 'in')
  return { entered: answers.length - refused.length, why: [...new Set(refused)] }
}

test('sessions of one sub-account use up half of their workspace’s rate at most', async () => {
  const enter = createStage('free')
  const { requestsPerSecond } = PLANS.free.limits
  const half = requestsPerSecond / 2
  expect(await count(enter, 0, half - 5)).toEqual({ entered: half - 5, why: [] })
  expect(await count(enter, 1, half)).toEqual({
    entered: 5,
    why: [`the sub-account's limit of ${half} requests a second is used up`],
  })
  expect((await count(enter, 2, half)).entered).toBe(half)
})

test('a session has a rate of its own, and where the workspace has no limit its sub-account has one', async () => {
  const enter = createStage('self_hosted')
  expect(await count(enter, 0, 101)).toEqual({
    entered: 100,
    why: ["the sub-account session's limit of 100 requests a second is used up"],
  })
  expect((await count(enter, 1, 100)).entered).toBe(100)
})
