import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { ERROR_STATUS } from '@posthorn/contracts/errors'
import { ERROR_CATEGORIES } from '@posthorn/domain/classify-attempt'
import { API_GROUPS } from './api-groups.ts'
import { apiPages } from './api-pages.ts'
import { indexPages } from './index-pages.ts'
import { rowsOf } from './schema-rows.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = { ...apiPages(), ...indexPages() }

test.each(Object.entries(pages))('%s is as `npm run docs` writes it', (path, text) => {
  expect(read(path) === text).toBe(true)
})

test('the folder of the API reference has nothing else', () => {
  const found = globSync('docs/api/**', { cwd: root }).filter((path) => /\.\w+$/.test(path))
  expect(found.filter((path) => !(path in pages))).toEqual([])
})

test('what a page of the API says of a field is said of a field that it has', () => {
  const idle = API_GROUPS.flatMap(({ name, meanings = {} }) => {
    const page = pages[`docs/api/${name}.md`] ?? ''
    return Object.keys(meanings).filter((field) => !page.includes(`| \`${field}\` |`))
  })
  expect(idle).toEqual([])
})

describe('docs/errors.md', () => {
  const page = read('docs/errors.md')

  test('has each code with its status, its cause and its remedy, and no other', () => {
    const [codes = ''] = page.split('\n## Errors of attempts')
    const sections = [
      ...codes.matchAll(/^### `(\w+)`\n\n\*\*(\d+)\.\*\* \S[^]*?\n\n\*\*Remedy:\*\* \S/gm),
    ]
    const found = Object.fromEntries(
      sections.map(([, code = '', status]) => [code, Number(status)]),
    )
    expect(found).toEqual(ERROR_STATUS)
    expect(codes.match(/^### /gm)).toHaveLength(sections.length)
  })

  test('has each category of failed attempts', () => {
    const [, attempts = ''] = page.split('\n## Errors of attempts')
    const [table = ''] = attempts.split('\nAn event that is dead')
    const rows = [...table.matchAll(/^\| `(\w+)` \| \S.* \| \S.* \|$/gm)].map(([, name]) => name)
    expect(rows.toSorted()).toEqual(ERROR_CATEGORIES.toSorted())
  })
})

describe('a schema as rows', () => {
  test.each([
    [{ type: 'string', minLength: 1, maxLength: 5 }, 'string, 1 to 5 characters'],
    [{ type: ['integer', 'null'], minimum: 2 }, 'integer, at least 2 or null'],
    [{ enum: ['a', 'b', 'c'] }, '`a`, `b` or `c`'],
    [{ type: 'array', items: { type: 'string' }, maxItems: 3 }, 'list of string; at most 3 items'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'object of strings'],
    [{ $ref: '#/components/schemas/Named' }, 'object'],
    [{}, 'any JSON'],
  ])('%j', (field, type) => {
    const schema = { type: 'object', properties: { field } }
    const [row] = rowsOf(schema, { Named: { type: 'object', properties: {} } })
    expect(row?.type).toBe(type)
  })

  test('shapes that a constant tells apart share their rows, which say where they go', () => {
    const shape = (type: string, more: object) => ({
      type: 'object',
      properties: { type: { const: type }, ...more },
      required: ['type'],
    })
    const kinds = [shape('s3', { bucket: { type: 'string' } }), shape('file', {})]
    const rows = rowsOf({ type: 'object', properties: { to: { oneOf: kinds } } }, {})
    expect(rows).toEqual([
      { name: 'to', required: false, type: 'object', meaning: '' },
      { name: 'to.type', required: true, type: '`s3` or `file`', meaning: '' },
      { name: 'to.bucket', required: false, type: 'string', meaning: 'with `type` `s3`' },
    ])
  })
})
