/**
 * The signers of all platforms. Some platforms have several: one for each of the ways in which they
 * sign.
 */
import { SIGNER_FILES } from '../platforms.fixture.ts'
import type { Signer } from './signer.fixture.ts'

const signers: Signer[] = []
for (const load of SIGNER_FILES) signers.push(...(await load()).signers)

export const SIGNERS: readonly Signer[] = signers
