import { expect, test } from '@jest/globals'
import { maskSecrets, unmaskSecrets } from './masked-secrets.ts'

const SETTINGS = {
  webhookUrl: 'https://hooks.slack.com/services/T000/B000/abcdwxyz',
  smtpPassword: 'short',
  secret: null,
  channel: '#ops',
}

test('secrets are shown by their last characters at most, and nothing else is hidden', () => {
  expect(maskSecrets(SETTINGS)).toEqual({
    webhookUrl: '••••wxyz',
    smtpPassword: '••••',
    secret: null,
    channel: '#ops',
  })
})

test('what is sent back masked keeps its value, and what is new is taken', () => {
  const given = { ...maskSecrets(SETTINGS), secret: 'a new secret of mine' }
  expect(unmaskSecrets(given, SETTINGS)).toEqual({
    outcome: 'ok',
    settings: { ...SETTINGS, secret: 'a new secret of mine' },
  })
})

test('a mask that stands for nothing is named', () => {
  const other = { webhookUrl: '••••else' }
  for (const former of [null, {}, SETTINGS]) {
    expect(unmaskSecrets(other, former)).toEqual({ outcome: 'masked', key: 'webhookUrl' })
  }
})
