/** An independent signer of GitLab (signing token), written from its documents. */
import { gitlab, gitlabBody } from '../signers/git-hosts.fixture.ts'
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'gitlab-signing-token',
    headers: gitlab,
    body: gitlabBody,
    type: 'Push_Hook',
  }),
]
