import { expect, test } from '@jest/globals'
import { isUuid } from './ids.ts'
import { directTargetId } from './target.ts'

const tenant = '0190a5d8-1111-7000-8000-000000000001'
const url = 'https://example.com/hook'

test('every process makes the same id of a tenant and a URL, a UUID of version 8', () => {
  const id = directTargetId(tenant, url)
  expect(id).toBe(directTargetId(tenant, url))
  expect(isUuid(id)).toBe(true)
  expect(id).toMatch(/^.{14}8.{4}[89ab]/)
  // The id is stored, so every version of this function must make the same one.
  expect(id).toBe('586d5494-809c-841d-9531-f0703b6dc3c7')
})

test('query and fragment do not count', () => {
  expect(directTargetId(tenant, `${url}?a=1`)).toBe(directTargetId(tenant, url))
  expect(directTargetId(tenant, `${url}?a=1?b#c`)).toBe(directTargetId(tenant, url))
  expect(directTargetId(tenant, `${url}#part?x`)).toBe(directTargetId(tenant, url))
})

test('path, host, scheme and tenant do', () => {
  const others = [
    directTargetId(tenant, `${url}/`),
    directTargetId(tenant, 'https://example.org/hook'),
    directTargetId(tenant, 'http://example.com/hook'),
    directTargetId('0190a5d8-1111-7000-8000-000000000002', url),
  ]
  expect(new Set([...others, directTargetId(tenant, url)]).size).toBe(5)
})
