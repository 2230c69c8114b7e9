/** An independent signer of Asana, written from its documents. */
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'asana',
    header: 'X-Hook-Signature',
    body: {
      events: [
        {
          user: { gid: '1' },
          created_at: '2023-11-14T22:13:20Z',
          action: 'changed',
          resource: { gid: '77', resource_type: 'task' },
        },
      ],
    },
    type: 'changed',
    handshakes: [
      {
        of: 'the secret',
        request: {
          headers: {
            'X-Hook-Secret': 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81',
          },
          body: '{}',
        },
        config: {},
        answer: {
          status: 200,
          headers: {
            'X-Hook-Secret': 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81',
          },
          learned: { secret: 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81' },
        },
      },
    ],
  }),
]
