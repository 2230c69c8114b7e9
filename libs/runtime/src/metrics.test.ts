import { expect, test } from '@jest/globals'
import { createMetrics } from './metrics.ts'

test('tell from the start which version runs, and where', async () => {
  const { body } = await createMetrics('fanout', '1.2.3').render()
  const [told] = body.split('\n').filter((line) => line.startsWith('posthorn_build_info{'))
  expect(told).toMatch(/ 1$/)
  const labels = ['version="1.2.3"', `node="${process.version}"`, 'service="fanout"']
  expect(labels.filter((label) => told?.includes(label))).toEqual(labels)
})
