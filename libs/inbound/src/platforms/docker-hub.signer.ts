/** An independent signer of Docker Hub, written from its documents. */
import { type Signer, urlToken } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  urlToken({
    source: 'docker-hub',
    body: {
      callback_url: 'https://registry.hub.docker.com/u/x',
      push_data: { pushed_at: 1700000000, pusher: 'trustedbuilder', tag: 'latest' },
      repository: { repo_name: 'svendowideit/testhook' },
    },
  }),
]
