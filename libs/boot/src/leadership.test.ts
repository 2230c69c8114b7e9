import { expect, test } from '@jest/globals'
import { leadAlone } from './leadership.ts'

test('alone a process leads from its start to its end, and is told once', async () => {
  const told: boolean[] = []
  const leadership = leadAlone((leads) => void told.push(leads))
  expect(leadership.isLeader()).toBe(false)
  await leadership.renew()
  await leadership.renew()
  expect(leadership.isLeader()).toBe(true)
  await leadership.resign()
  expect(leadership.isLeader()).toBe(false)
  expect(told).toEqual([true])
})
