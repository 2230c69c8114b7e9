/** An independent signer of Moralis, written from its documents. */
import { hashed } from '../signers/hashed.fixture.ts'
import { keccak256 } from '../signers/keccak.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

const stream = {
  confirmed: true,
  chainId: '0x1',
  streamId: '8c1f',
  tag: 'mainnet',
  block: { number: '1', hash: '0xa', timestamp: '1' },
  txs: [],
  logs: [],
}

export const signers: readonly Signer[] = [
  hashed({
    source: 'moralis',
    header: 'x-signature',
    hash: keccak256,
    show: (s) => `0x${s}`,
    text: (body, secret) => `${body}${secret}`,
    body: stream,
    type: 'mainnet',
    id: '8c1f:0xa:true',
  }),
]
