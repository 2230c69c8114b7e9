/** Requests of Twilio that public sources show. */
import type { Vector } from '../signers/vector.fixture.ts'

export const vectors: readonly Vector[] = [
  {
    source: 'twilio',
    from: 'twilio-node, spec/validation.spec.js',
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    credentials: { secret: '12345' },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'X-Twilio-Signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
    },
    body: 'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212',
  },
  {
    source: 'twilio',
    from: 'twilio-python, tests/unit/test_request_validator.py',
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    credentials: { secret: '12345' },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'X-Twilio-Signature': 'IK+Dwps556ElfBT0I3Rgjkr1wJU=',
    },
    body: 'Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234',
  },
  {
    source: 'twilio',
    from: 'twilio-node, spec/validation.spec.js, with a body hash',
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620',
    credentials: { secret: '12345' },
    headers: {
      'content-type': 'application/json',
      'X-Twilio-Signature': 'a9nBmqA0ju/hNViExpshrM61xv4=',
    },
    body: '{"property": "value", "boolean": true}',
  },
]
