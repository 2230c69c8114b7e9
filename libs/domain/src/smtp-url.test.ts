import { expect, test } from '@jest/globals'
import { requiresTls } from './smtp-url.ts'

test.each([
  ['smtp://mail.example.com:25', false],
  ['smtp://user:pass@mail.example.com:587', true],
  ['smtp://user@mail.example.com', true],
  ['smtps://user:pass@mail.example.com', true],
  ['smtp://user:pass@mail.example.com?ignoreTLS=true', false],
  ['smtp://user:pass@mail.example.com?opportunisticTLS=true', false],
  ['smtp://user:pass@mail.example.com?requireTLS=false', false],
  ['smtp://user:pass@mail.example.com?ignoreTLS=false&pool=true', true],
])('%s: %s', (url, isRequired) => {
  expect(requiresTls(url)).toBe(isRequired)
})
