/** An independent signer of Google Drive push, written from its documents. */
import { googleWatch } from '../signers/google-watch.fixture.ts'
import type { Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [googleWatch('google-drive')]
