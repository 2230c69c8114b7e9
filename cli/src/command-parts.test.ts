/** The pure parts of commands: points in time, captured requests, targets, differences, bounds. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { changesBetween, isSame, mergePatch } from './apply/compare.ts'
import { readCaptured } from './captured-request.ts'
import { targetUrl } from './listen/forward-event.ts'
import { boundedJson } from './mcp/bounded.ts'
import { createOutput } from './output.ts'
import { pointInTime } from './points-in-time.ts'
import { VERSION } from './version.ts'

test('the version is the manifest’s', () => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  expect((JSON.parse(manifest) as { version: string }).version).toBe(VERSION)
})

test('a point in time is so long ago, or a date', () => {
  const now = Date.parse('2026-01-02T00:00:00Z')
  expect(pointInTime('90s', now)).toBe('2026-01-01T23:58:30.000Z')
  expect(pointInTime('2d', now)).toBe('2025-12-31T00:00:00.000Z')
  expect(pointInTime('2026-01-01T12:00:00+02:00', now)).toBe('2026-01-01T10:00:00.000Z')
  for (const wrong of ['', '5', '5y', 'yesterday', '2026-13-01'])
    expect(() => pointInTime(wrong, now)).toThrow('is no time')
})

test('where to forward to is a port or an http(s) URL', () => {
  expect(targetUrl('3000').href).toBe('http://localhost:3000/')
  expect(targetUrl('localhost:3000/hooks?a=b#c').href).toBe('http://localhost:3000/hooks?a=b')
  expect(targetUrl('https://example.com/x').href).toBe('https://example.com/x')
  for (const wrong of ['ftp://a.example', 'http://u:p@a.example', 'file:///etc/passwd', ''])
    expect(() => targetUrl(wrong)).toThrow('forward')
})

test('a captured request is HTTP or JSON', () => {
  const http = 'POST /x HTTP/1.1\r\nHost: a\r\nX-One:  two \r\n\r\n{"a":1}\r\n\r\nrest'
  expect(readCaptured(http)).toEqual({
    headers: { Host: 'a', 'X-One': 'two' },
    body: '{"a":1}\r\n\r\nrest',
  })
  const json = JSON.stringify({ headers: { A: ['1', '2'], B: 'c' }, body: '{}' })
  expect(readCaptured(json)).toEqual({ headers: { A: '1', B: 'c' }, body: '{}' })
  for (const wrong of ['', 'no headers\n\nbody', '{"headers":1}', '{'])
    expect(() => readCaptured(wrong)).toThrow('captured request')
})

test('a masked secret is the same as one that would be masked alike', () => {
  expect(isSame('••••cret', 'a-long-enough-secret')).toBe(true)
  expect(isSame('••••cret', 'a-long-enough-other')).toBe(false)
  expect(isSame('••••', 'short')).toBe(true)
  expect(isSame({ a: 1, b: null }, { a: 1 })).toBe(true)
  expect(isSame([1, 2], [2, 1])).toBe(false)
  expect(changesBetween({ a: 1, b: 2 }, { a: 1, b: 3 })).toEqual([{ field: 'b', from: 2, to: 3 }])
  expect(mergePatch({ a: 1, b: 2 }, { b: 3 })).toEqual({ a: null, b: 3 })
})

test('a bounded result is JSON, and not too long', () => {
  const large = { data: Array.from({ length: 500 }, (_, n) => ({ n, text: 'x'.repeat(5_000) })) }
  for (const max of [500, 5_000, 24_000]) {
    const text = boundedJson(large, max)
    expect(text.length).toBeLessThanOrEqual(max)
    expect(JSON.parse(text)).toHaveProperty('truncated')
  }
  expect(boundedJson({ a: 1 })).toBe('{"a":1}')
})

test('secrets that are known are blotted out, and stdout has NDJSON alone', () => {
  const printed = { out: '', err: '' }
  const stdout = { write: (text: string) => (printed.out += text) }
  const stderr = { write: (text: string) => (printed.err += text) }
  const out = createOutput(true, stdout, stderr)
  out.hide('a-secret-key')
  out.result({ key: 'a-secret-key', esc: '\u001b\u009b' }, 'for people')
  out.status('with a-secret-key\u0007')
  expect(printed).toEqual({
    out: '{"key":"•••","esc":"\\u001b\\u009b"}\n',
    err: 'with •••\\u{7}\n',
  })
})
