import { expect, test } from '@jest/globals'
import { describeFileError } from './file-sink.ts'

test.each([
  ['ENOSPC', 'storage', 'the disk is full (ENOSPC)'],
  ['EDQUOT', 'storage', 'the disk quota is used up (EDQUOT)'],
  ['EACCES', 'storage', 'no permission to write below STORAGE_DIR (EACCES)'],
  ['EODD', 'storage', 'the file could not be written (EODD)'],
  ['EMFILE', 'internal', 'the file could not be written (EMFILE)'],
])('%s is category %s: %s', (code, category, detail) => {
  expect(describeFileError(code)).toEqual({ category, detail })
})
