/** An independent signer of Amazon Sns, written from its documents. */
import type { Signer } from '../signers/signer.fixture.ts'
import { sns } from '../signers/sns.fixture.ts'

export const signers: readonly Signer[] = sns('amazon-sns', 3600)
