/** An independent signer of GitLab (secret token), written from its documents. */
import { GITLAB_HEADERS, GITLAB_PUSH } from '../signers/git-hosts.fixture.ts'
import { type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  token({
    source: 'gitlab',
    header: 'X-Gitlab-Token',
    headers: GITLAB_HEADERS,
    body: GITLAB_PUSH,
    type: 'Push_Hook',
    id: '4e3c7d1a',
  }),
]
