/** An independent signer of HubSpot (v3), written from its documents. */
import { CONTACT_CREATION } from '../signers/hubspot.fixture.ts'
import { mac, type Signer, SOURCE_URL } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'hubspot',
    header: 'X-HubSpot-Signature-v3',
    digest: ['sha256', 'base64'],
    signed: (body, t, url) => `POST${url}${body}${t}`,
    time: { unit: 'ms', header: 'X-HubSpot-Request-Timestamp', tolerance: 300 },
    coversUrl: true,
    body: CONTACT_CREATION,
    type: 'contact.creation',
    id: '100:12345:1564113600000',
  }),
  mac({
    source: 'hubspot',
    variant: 'with an escaped query',
    url: `${SOURCE_URL}?to=a%3Ab%2Fc%40d%20e`,
    header: 'X-HubSpot-Signature-v3',
    digest: ['sha256', 'base64'],
    signed: (body, t) => `POST${SOURCE_URL}?to=a:b/c@d%20e${body}${t}`,
    time: { unit: 'ms', header: 'X-HubSpot-Request-Timestamp', tolerance: 300 },
    coversUrl: true,
    body: CONTACT_CREATION,
    type: 'contact.creation',
    id: '100:12345:1564113600000',
  }),
  mac({
    source: 'hubspot',
    variant: 'at a URL of its own',
    config: { webhook_url: 'https://public.example.com/in' },
    pinned: { webhook_url: 'https://public.example.com/in' },
    header: 'X-HubSpot-Signature-v3',
    digest: ['sha256', 'base64'],
    signed: (body, t) => `POSThttps://public.example.com/in${body}${t}`,
    time: { unit: 'ms', header: 'X-HubSpot-Request-Timestamp', tolerance: 300 },
    body: CONTACT_CREATION,
    type: 'contact.creation',
    id: '100:12345:1564113600000',
  }),
]
