/** An independent signer of YouTube (WebSub), written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'
import { hubQuestion } from '../signers/websub.fixture.ts'

const feed =
  '<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom"><entry><yt:videoId>VIDEO_ID</yt:videoId><updated>2023-11-14T22:13:20+00:00</updated></entry></feed>'

export const signers: readonly Signer[] = [
  mac({
    source: 'youtube',
    header: 'X-Hub-Signature',
    digest: ['sha1', 'hex'],
    show: (s) => `sha1=${s}`,
    contentType: 'application/atom+xml',
    body: feed,
    type: 'updated',
    id: 'VIDEO_ID:2023-11-14T22:13:20+00:00',
    handshakes: [hubQuestion(), hubQuestion('&hub.verify_token=v')],
  }),
]
