import { expect, test } from '@jest/globals'
import { createInProcessState } from '@posthorn/state/in-process-state'
import { createLockout, machineKey } from './lockout.ts'

const LOCKED = { code: 'RATE_LIMITED' }
const MINUTE = 60_000

function create() {
  const clock = { now: 0 }
  const state = createInProcessState({}, { nowMs: () => clock.now })
  return { clock, lockout: createLockout(state) }
}

test('row 2: ten guesses lock an address for a quarter of an hour, in any case', async () => {
  const { clock, lockout } = create()
  for (let n = 1; n <= 10; n += 1) {
    expect(await lockout.guess('A@example.com', '192.0.2.1')).toEqual({ isLast: n === 10 })
  }
  for (const [email, ip] of [
    ['a@example.com', '192.0.2.1'],
    ['a@EXAMPLE.com', '192.0.2.9'],
  ] as const) {
    await expect(lockout.guess(email, ip)).rejects.toMatchObject({
      ...LOCKED,
      retryAfterSeconds: 900,
    })
  }
  await lockout.guess('b@example.com', '192.0.2.1')
  clock.now = 15 * MINUTE
  expect(await lockout.guess('a@example.com', '192.0.2.1')).toEqual({ isLast: false })
})

test('row 3: of 200 guesses at once ten are let through', async () => {
  const { lockout } = create()
  const guesses = Array.from({ length: 200 }, () => lockout.guess('a@example.com', '192.0.2.1'))
  const ended = await Promise.allSettled(guesses)
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
})

test('a login and a reset clear an address', async () => {
  const { lockout } = create()
  for (let n = 0; n < 9; n += 1) await lockout.guess('a@example.com', '192.0.2.1')
  await lockout.succeed('a@example.com', '192.0.2.1')
  for (let n = 0; n < 10; n += 1) await lockout.guess('a@example.com', '192.0.2.1')
  await expect(lockout.guess('a@example.com', '192.0.2.1')).rejects.toMatchObject(LOCKED)
  await lockout.unlock('a@example.com')
  await lockout.guess('a@example.com', '192.0.2.1')
})

test('a guess that was not checked, or met a lock, counts nowhere', async () => {
  const { lockout } = create()
  for (let n = 0; n < 600; n += 1) {
    await lockout.guess('a@example.com', '192.0.2.1')
    await lockout.withdraw('a@example.com', '192.0.2.1')
  }
  for (let n = 0; n < 600; n += 1) {
    await lockout.guess('b@example.com', '192.0.2.1').catch(() => undefined)
  }
  expect(await lockout.guess('a@example.com', '192.0.2.1')).toEqual({ isLast: false })
})

test('one machine has a bounded number of wrong guesses, at however many addresses', async () => {
  const { clock, lockout } = create()
  for (let n = 0; n < 500; n += 1) {
    await lockout.guess('owner@example.com', '2001:db8::2')
    await lockout.succeed('owner@example.com', '2001:db8::2')
    await lockout.guess(`u${n}@example.com`, '2001:db8::1')
  }
  await expect(lockout.guess('new@example.com', '2001:db8:0:0:9::3')).rejects.toMatchObject({
    ...LOCKED,
    retryAfterSeconds: 60,
  })
  await lockout.guess('new@example.com', '2001:db8:0:1::1')
  clock.now = MINUTE
  await lockout.guess('new@example.com', '2001:db8::1')
  await expect(lockout.guess('new@example.com', '2001:db8::1')).rejects.toMatchObject(LOCKED)
})

test('a machine is an IPv4 address or an IPv6 network', () => {
  expect(machineKey('192.0.2.1')).toBe('machine:192.0.2.1')
  expect(machineKey('::ffff:192.0.2.1')).toBe('machine:192.0.2.1')
  expect(machineKey('::1')).toBe('machine:0:0:0:0')
  expect(machineKey('2001:0DB8:1:2:3:4:5:6')).toBe('machine:2001:db8:1:2')
  expect(machineKey('2001:db8::1')).toBe(machineKey('2001:db8:0:0:1::'))
  expect(machineKey('fe80::1%eth0')).toBe('machine:fe80:0:0:0')
})
