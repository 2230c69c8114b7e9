import { expect, test } from '@jest/globals'
import { createPlatformVerifier } from '../platform-verifier.fixture.ts'
import { preset } from './azure-event-grid.ts'

const { answerTo } = createPlatformVerifier(preset)

test('Event Grid is allowed to send, others get no answer', () => {
  const from = (origin: string) =>
    answerTo({ method: 'OPTIONS', headers: { 'WebHook-Request-Origin': origin } }, {})
  expect(from('eventgrid.azure.net')).toEqual({
    status: 200,
    headers: { 'WebHook-Allowed-Origin': 'eventgrid.azure.net', 'WebHook-Allowed-Rate': '*' },
    body: '',
  })
  expect(from('evil.example')).toBeNull()
})

test('the validation code is sent back in its own schema', () => {
  const headers = { 'aeg-event-type': 'SubscriptionValidation' }
  const body = JSON.stringify([{ data: { validationCode: 'c0de' } }])
  expect(answerTo({ headers, body }, {})).toMatchObject({
    status: 200,
    body: '{"validationResponse":"c0de"}',
  })
  expect(answerTo({ body }, {})).toBeNull()
})
