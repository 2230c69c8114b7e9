/** Text from outside is parsed by `parse-json.ts`, which says why JSON.parse may not. */
import { expect, test } from '@jest/globals'
import { expectNone, places, product } from './broken-rules.ts'

const PARSE = /\bJSON\.parse\b/

/** What these parse comes from Posthorn itself, from its operator or from a service it asks. */
const OWN_TEXT = [
  'libs/boot/src/version.ts',
  'libs/bus/src/kafka-intake.ts',
  'libs/bus/src/oauth-tokens.ts',
  'libs/contracts/src/due-delivery.ts',
  'libs/inbound/src/platforms/circle.verifier.ts',
  'libs/inbound/src/platforms/ebay.verifier.ts',
  'libs/inbound/src/platforms/plaid.verifier.ts',
  'libs/inbound/src/public-keys.ts',
  'libs/runtime/src/embedded-postgres-place.ts',
  'libs/runtime/src/setting-kinds.ts',
  'libs/sandbox/src/sandbox.ts',
  'services/alerting/src/connectors/connector-record.ts',
  'services/alerting/src/rules/rule-record.ts',
  'services/alerting/src/targets/discord.ts',
  'services/dispatcher/src/storage/resolve-storage.ts',
  'services/inbound-receiver/src/inbound-source.ts',
  'services/portal-api/src/deliveries/attempt-record.ts',
  'services/portal-api/src/endpoints/storage-credentials.ts',
  'services/portal-api/src/inbound/inbound-record.ts',
]
/** They parse one text of it, know that it has no escaped names, or read one known field. */
const CAREFUL = [
  'libs/domain/src/json-scalars.ts',
  'libs/domain/src/parse-json.ts',
  'libs/domain/src/raw-json.ts',
  'libs/go-template/src/parse-data.ts',
  'libs/http/src/parse-request.ts',
  'services/portal-api/src/passkeys/verify-passkey.ts',
  'services/portal-api/src/scim/parse-filter.ts',
  'services/standalone/src/demo-receiver-routes.ts',
]

const parsing = product.filter(
  (file) => !/\.(?:signer|fixture)\.ts$/.test(file.path) && places([file], PARSE).length > 0,
)

test('JSON.parse is for text of our own', () => {
  const known = [...OWN_TEXT, ...CAREFUL]
  const others = parsing.filter(({ path }) => !known.some((one) => path.startsWith(one)))
  expectNone(places(others, PARSE), 'parse text from outside with parseJson or parseJsonInSteps')
})

test('the lists name nothing else', () => {
  const unused = [...OWN_TEXT, ...CAREFUL].filter(
    (known) => !parsing.some(({ path }) => path.startsWith(known)),
  )
  expect(unused).toEqual([])
})
