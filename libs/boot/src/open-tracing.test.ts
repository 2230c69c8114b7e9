import { expect, test } from '@jest/globals'
import { readSettings } from '@posthorn/runtime/config'
import { openTracing } from './open-tracing.ts'

const log = { warn: () => {} }

test('without a collector there is nothing to call, and nothing to stop', async () => {
  const opened = await openTracing(readSettings({}), 'test', log)
  expect(opened).toEqual({ tracing: undefined, tracingParts: [] })
})

test('with one there is, until it is stopped', async () => {
  const settings = readSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-team=hooks',
  })
  const { tracing, tracingParts } = await openTracing(settings, 'test', log)
  expect(tracing).toBeDefined()
  expect(tracingParts.map(({ name }) => name)).toEqual(['tracing'])
  await tracingParts[0]?.stop?.(1_000)
})

test('a header that is none is refused', () => {
  expect(() => readSettings({ OTEL_EXPORTER_OTLP_HEADERS: 'abc' })).toThrow('must be name=value')
})
