/** An independent signer of GitLab (signing token), written from its documents. */
import { GITLAB_HEADERS, GITLAB_PUSH } from '../signers/git-hosts.fixture.ts'
import { type Signer, standard } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  standard({
    source: 'gitlab-signing-token',
    headers: GITLAB_HEADERS,
    body: GITLAB_PUSH,
    type: 'Push_Hook',
  }),
]
