/** An independent signer of Amazon SNS, written from its documents. */
import type { Signer } from '../signers/signer.fixture.ts'
import { sns } from '../signers/sns.fixture.ts'

export const signers: readonly Signer[] = sns('aws-sns', null)
