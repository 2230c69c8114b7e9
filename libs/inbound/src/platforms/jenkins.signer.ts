/** An independent signer of Jenkins, written from its documents. */
import { namedHeader, type Signer, urlToken } from '../signers/signer.fixture.ts'

const build = {
  name: 'job',
  build: { full_url: 'https://jenkins/job/18/', number: 18, phase: 'COMPLETED', status: 'SUCCESS' },
}

export const signers: readonly Signer[] = [
  namedHeader({
    source: 'jenkins',
    body: build,
    type: 'COMPLETED',
    id: 'https://jenkins/job/18/:COMPLETED',
  }),
  urlToken({
    source: 'jenkins',
    variant: 'in the URL',
    body: build,
    type: 'COMPLETED',
    id: 'https://jenkins/job/18/:COMPLETED',
  }),
]
