/** An independent signer of Storyblok, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'storyblok',
    header: 'webhook-signature',
    digest: ['sha1', 'hex'],
    body: { text: 't', action: 'published', space_id: 1, story_id: 2, full_slug: 'home' },
    type: 'published',
  }),
]
