/** An independent signer of Supabase Auth Hooks, written from its documents. */
import { CONTACT_CREATED, withSignatureHeader, OTHER_BASE64 } from '../signers/rotation.fixture.ts'
import { type Signer, standard } from '../signers/signer.fixture.ts'

const hookBody = { user: { id: '1' }, email_data: { email_action_type: 'signup' } }

export const signers: readonly Signer[] = [
  {
    ...standard({ source: 'supabase-auth-hook', body: hookBody, type: 'signup' }),
    ...commaSecrets(standard({ source: 'supabase-auth-hook', body: hookBody })),
    deliveryId: null,
  },
  withSignatureHeader(
    { ...standard({ source: 'supabase-auth-hook', body: CONTACT_CREATED }), deliveryId: null },
    'webhook-signature',
    (own) => `v1,${OTHER_BASE64}, ${own}`,
  ),
]

/** Secrets as the dashboard shows them. */
function commaSecrets(base: Signer): Pick<Signer, 'config'> {
  return { config: (secret) => base.config(`v1,${secret}`) }
}
