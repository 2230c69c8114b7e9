/** An independent signer of Descope, written from its documents. */
import { basic, mac, type Signer } from '../signers/signer.fixture.ts'

const descope = {
  action: 'LoginSucceed',
  actorId: 'U2',
  type: 'info',
  occurred: 1700000000000,
  tenants: [],
}

export const signers: readonly Signer[] = [
  mac({
    source: 'descope',
    header: 'x-descope-webhook-s256',
    digest: ['sha256', 'base64'],
    body: descope,
    type: 'LoginSucceed',
  }),
  basic({ source: 'descope', variant: 'by password', body: descope, type: 'LoginSucceed' }),
]
