/** An independent signer of Persona, written from its documents. */
import { OTHER_HEX, WHILE_ROTATED } from '../signers/rotation.fixture.ts'
import { mac, type Signer } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  mac({
    source: 'persona',
    header: 'Persona-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v1=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: { data: { type: 'event', id: 'evt_XGuG', attributes: { name: 'inquiry.completed' } } },
    type: 'inquiry.completed',
    id: 'evt_XGuG',
  }),
  mac({
    source: 'persona',
    variant: WHILE_ROTATED,
    header: 'Persona-Signature',
    signed: (body, t) => `${t}.${body}`,
    show: (s, t) => `t=${t},v1=${OTHER_HEX} t=${t},v1=${s}`,
    time: { unit: 's', tolerance: 300 },
    body: { data: { id: 'evt_X', attributes: { name: 'inquiry.completed' } } },
    type: 'inquiry.completed',
    id: 'evt_X',
  }),
]
