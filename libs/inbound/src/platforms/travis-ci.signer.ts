/** An independent signer of Travis CI, written from its documents. */
import { FORM_TYPE } from '../signers/forms.fixture.ts'
import { namesOf, pem, signature } from '../signers/keys.fixture.ts'
import { commonFields, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  travis((name) => ({ public_key: pem(name) })),
  travis(() => ({}), {
    'https://api.travis-ci.com/config': JSON.stringify({
      config: { notifications: { webhook: { public_key: pem('rsa:1') } } },
    }),
  }),
]

/** The signature covers the JSON in a field of the form. */
function travis(
  config: (name: string) => Record<string, string>,
  published?: Record<string, string>,
): Signer {
  const payload = JSON.stringify({
    id: 1,
    number: '1',
    state: 'passed',
    status_message: 'Passed',
    repository: { id: 1 },
  })
  return {
    ...commonFields({
      source: 'travis-ci',
      ...(published ? { variant: 'by the published key' } : {}),
      body: `payload=${encodeURIComponent(payload)}`,
      type: 'passed',
    }),
    secrets: namesOf('rsa'),
    config,
    sign({ body, secret, touch }) {
      const sealed = signature('sha1', new URLSearchParams(body).get('payload') ?? '', secret)
      return {
        body,
        headers: {
          ...FORM_TYPE,
          Signature: touch(sealed.toString('base64')),
          'Travis-Repo-Slug': 'a/b',
        },
      }
    },
    covers: { body: 'passed' },
    carriedIn: ['Signature'],
    ...(published ? { published } : { optional: true as const }),
  }
}
