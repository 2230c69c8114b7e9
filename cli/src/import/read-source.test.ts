/** What is read of another service is checked, and no message quotes it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { readExport } from './exported.ts'
import { allOf, baseUrlOf, checked, readPages } from './read-source.ts'
import { svix } from './svix.ts'

test('the base of an API is its URL, with a path where it has none', () => {
  expect(baseUrlOf('https://a.example', '/api')).toBe('https://a.example/api')
  expect(baseUrlOf('https://a.example/', '/api')).toBe('https://a.example/api')
  expect(baseUrlOf('http://a.example:1/v1/?x=y#z', '/api')).toBe('http://a.example:1/v1')
  for (const wrong of ['a.example', 'ftp://a.example', 'https://u:p@a.example', ''])
    expect(() => baseUrlOf(wrong, '')).toThrow('--from-url')
})

test('a field of another shape is named, and its value is not', () => {
  const shape = z.object({ data: z.array(z.object({ key: z.string() })) })
  expect(checked(shape, { data: [{ key: 'x', more: 1 }] }, 'it')).toEqual({ data: [{ key: 'x' }] })
  const wrong = { data: [{ key: 'x' }, { key: ['a-secret'] }] }
  expect(() => checked(shape, wrong, 'it')).toThrow(/^it is not as documented: data\[1\]\.key: /)
  expect(() => checked(shape, wrong, 'it')).not.toThrow('a-secret')
  expect(() => checked(shape, 7, 'it')).toThrow('the whole: ')
})

test('pages are read until there is no next one, and never the same one twice', async () => {
  const pages: Record<string, { items: number[]; next: string | null }> = {
    '': { items: [1, 2], next: 'b' },
    b: { items: [], next: 'c' },
    c: { items: [3], next: null },
  }
  const read = async (cursor = '') => pages[cursor] ?? { items: [], next: null }
  expect(await allOf(readPages(read), 'it')).toEqual([1, 2, 3])
  const endless = readPages(async () => ({ items: [1], next: 'again' }))
  await expect(allOf(endless, 'it')).rejects.toThrow('to the same page')
  let at = 0
  const many = readPages(async () => ({
    items: Array<number>(5_000).fill(0),
    next: `${(at += 1)}`,
  }))
  await expect(allOf(many, 'the list')).rejects.toThrow('the list has more than 10000')
})

test('an export has a record a line, and a line that is wrong is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-export-'))
  try {
    const path = join(folder, 'export.ndjson')
    const read = async (text: string) => {
      await writeFile(path, text)
      const all: unknown[] = []
      for await (const record of readExport(svix, path)) all.push(record)
      return all
    }
    const eventType = { name: 'a', description: '' }
    const good = JSON.stringify({ eventType })
    expect(await read(`${good}\n\n${good}`)).toEqual([{ eventType }, { eventType }])
    const wrong: [string, string][] = [
      [`${good}\n{"eventType":{"name":"whsec_a-secret"`, 'line 2 of'],
      ['{"topics":[]}', 'no field eventType or application'],
      ['[]', 'no field eventType or application'],
      ['{"eventType":{"name":7}}', 'eventType.name: '],
    ]
    for (const [text, told] of wrong) {
      const error = await read(text).catch((caught: Error) => caught.message)
      expect([text, error]).toEqual([text, expect.stringContaining(told)])
      expect(error).not.toContain('a-secret')
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
