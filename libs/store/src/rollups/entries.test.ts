import { describe, expect, test } from '@jest/globals'
import { newId, timeOfId } from '@posthorn/domain/ids'
import { cellOf } from './latency-cells.ts'
import { codeOfAttempt, decodeEntries, idOfBytes, kindOfError, NO_ID_BYTES } from './entries.ts'

/** An entry as the statements write it. */
function entry(endpointId: string | null, projectId: string, code: number, times: number): Buffer {
  const body = Buffer.alloc(40)
  if (endpointId !== null) body.write(endpointId.replaceAll('-', ''), 0, 'hex')
  body.write(projectId.replaceAll('-', ''), 16, 'hex')
  body.writeBigInt64BE(BigInt(code) + (BigInt(times - 1) << 44n), 32)
  return body
}

describe('entries of the outbox', () => {
  test('tell what happened, where, when and how often', () => {
    const [endpointId, projectId, id] = [newId(), newId(), newId()]
    const failed = { id, error: 'timeout: 30000 ms', durationMs: 30_000 }
    const succeeded = { id, error: '', durationMs: 7 }
    const second = Math.floor(timeOfId(id) / 1_000)
    const entries = [
      ...decodeEntries(
        Buffer.concat([
          entry(endpointId, projectId, codeOfAttempt(failed, true), 1),
          entry(null, projectId, codeOfAttempt(succeeded, false), 524_288),
        ]),
      ),
    ]
    expect(entries.map(({ kind, isDead, cell, times }) => [kind, isDead, cell, times])).toEqual([
      ['timeout', true, cellOf(30_000), 1],
      ['succeeded', false, cellOf(7), 524_288],
    ])
    expect(entries.map((one) => one.second)).toEqual([second, second])
    expect(entries.map(({ project }) => idOfBytes(project))).toEqual([projectId, projectId])
    expect(idOfBytes(entries[0]?.endpoint ?? '')).toBe(endpointId)
    expect(entries[1]?.endpoint).toBe(NO_ID_BYTES)
  })

  test('of a kind that is not known are left out', () => {
    const code = codeOfAttempt({ id: newId(), error: '', durationMs: 1 }, false)
    expect([...decodeEntries(entry(null, newId(), code + 13 * 128, 1))]).toEqual([])
  })

  test.each([
    ['', 'succeeded'],
    ['http_4xx: status 404', 'http_4xx'],
    ['dns: ENOTFOUND', 'dns'],
    ['reset: by the peer', 'other'],
    ['superseded: the event was edited', 'other'],
    ['no colon', 'other'],
  ])('an attempt with the error "%s" counts as %s', (error, kind) => {
    expect(kindOfError(error)).toBe(kind)
  })
})
