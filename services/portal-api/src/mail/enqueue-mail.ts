/**
 * Writes a mail into the outbox, in the transaction of the change that causes it: a worker sends
 * it. So a mail is sent for each change that was made, and for none that was not.
 */
import { newId } from '@posthorn/domain/ids'
import type { Transaction } from '@posthorn/store/prisma'

export type MailKind =
  | 'verify_email'
  /** Somebody signed up with an address that has an account. */
  | 'known_email'
  | 'reset_password'
  | 'password_changed'
  | 'mfa_changed'
  | 'invite'
  | 'endpoint_disabled'
  | 'quota_warning'
  | 'alert'

export interface Mail {
  /** One address; the route that takes it has checked its form. */
  to: string
  tenantId: string | null
  kind: MailKind
  /** What the kind's template shows. `link` is a path of our own, beginning with a slash. */
  data: Readonly<Record<string, string>>
}

export async function enqueueMail(
  transaction: Pick<Transaction, 'mail'>,
  { to, tenantId, kind, data }: Mail,
): Promise<void> {
  await transaction.mail.create({ data: { id: newId(), tenantId, recipient: to, kind, data } })
}
