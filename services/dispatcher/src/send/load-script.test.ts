import { expect, test } from '@jest/globals'
import { createLoadScript } from './load-script.ts'

const of = (n: number, endpointVersion = 1) => ({
  tenantId: 't',
  endpointId: `e${n}`,
  endpointVersion,
})

function start({ size = 10, version = 1 } = {}) {
  const asked: string[] = []
  const found = { version, script: 'x'.repeat(size) }
  const loadScript = createLoadScript({
    async readScript(_, endpointId) {
      asked.push(endpointId)
      return endpointId === 'e404' ? null : found
    },
  })
  return { asked, found, loadScript }
}

test('a script is read once for all that need it, and stays', async () => {
  const { asked, loadScript } = start()
  const both = await Promise.all([loadScript(of(1)), loadScript(of(1))])
  expect(both).toEqual([await loadScript(of(1)), { key: 'e1:1', script: 'x'.repeat(10) }])
  expect(asked).toEqual(['e1'])
})

test('what is in force now is what is found, and its key says which version that is', async () => {
  const { asked, found, loadScript } = start({ version: 7 })
  expect((await loadScript(of(1, 6)))?.key).toBe('e1:7')
  found.version = 8
  expect((await loadScript(of(1, 7)))?.key).toBe('e1:7')
  expect((await loadScript(of(1, 8)))?.key).toBe('e1:8')
  expect(asked).toEqual(['e1', 'e1'])
})

test('an endpoint without a script any more has none', async () => {
  expect(await start().loadScript(of(404))).toBeNull()
})

test('what is kept is bounded in bytes, and what is used stays', async () => {
  const { asked, loadScript } = start({ size: 64 * 1024 })
  for (let n = 0; n < 1_000; n += 1) {
    await loadScript(of(n))
    await loadScript(of(0))
  }
  expect(asked).toHaveLength(1_000)
  await loadScript(of(999))
  expect(asked).toHaveLength(1_000)
  await loadScript(of(1))
  expect(asked).toHaveLength(1_001)
})

test('a reading that failed is done again', async () => {
  let calls = 0
  const loadScript = createLoadScript({
    async readScript() {
      calls += 1
      if (calls === 1) throw new Error('away')
      return { version: 1, script: 'y' }
    },
  })
  await expect(loadScript(of(1))).rejects.toThrow('away')
  expect(await loadScript(of(1))).toEqual({ key: 'e1:1', script: 'y' })
})
