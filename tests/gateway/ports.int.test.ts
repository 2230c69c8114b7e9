import { createServer } from 'node:net'
import { expect, test } from '@jest/globals'
import { reservePorts } from '../../scripts/cluster/ports.ts'

test('two clusters have no port in common, even before anybody listens', async () => {
  const clusters = await Promise.all([reservePorts(), reservePorts(), reservePorts()])
  const ports: number[] = []
  for (let count = 0; count < 20; count += 1) {
    for (const cluster of clusters) ports.push(await cluster.next())
  }
  expect(new Set(ports).size).toBe(60)
  for (const cluster of clusters) await cluster.close()
})

test('a port that is in use is skipped', async () => {
  const ports = await reservePorts()
  const first = await ports.next()
  const taken = createServer()
  await new Promise<void>((done) => taken.listen(first + 1, '127.0.0.1', done))
  const second = await ports.next()
  expect(second).toBeGreaterThan(first + 1)
  await new Promise((done) => taken.close(done))
  await ports.close()
})
