/** An independent signer of Supabase Database Webhooks, written from its documents. */
import { namedHeader, type Signer, token } from '../signers/signer.fixture.ts'

export const signers: readonly Signer[] = [
  namedHeader({
    source: 'supabase-database',
    body: { type: 'INSERT', table: 't', schema: 'public', record: { id: 1 }, old_record: null },
    type: 't.INSERT',
  }),
  token({
    source: 'supabase-database',
    variant: 'by authorization',
    header: 'Authorization',
    body: { type: 'INSERT', record: { id: 1 } },
    type: 'INSERT',
  }),
]
