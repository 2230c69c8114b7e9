/**
 * The one form of an e-mail address that every route takes. Mailers read much more into a text than
 * one address (lists, names, comments, folded lines), so what they could misread is refused here:
 * a body that passes names exactly one mailbox.
 *
 * Addresses are ASCII and kept in lower case. Lower case is what makes two addresses one person,
 * and only ASCII has a lower case that can't turn one address into another: the Kelvin sign is
 * lowered to a plain k. A domain of other letters is given in its xn-- form.
 */
import { z } from 'zod'

/** RFC 5321 allows 256 octets for a path, the angle brackets included. */
export const MAX_EMAIL_CHARACTERS = 254
const MAX_LOCAL_CHARACTERS = 64

const WORD = /[a-z0-9!#$%&'*+/=?^_`{|}~-]+/.source
const LABEL = /[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?/.source
const FORM = new RegExp(
  `^(?=[^@]{1,${MAX_LOCAL_CHARACTERS}}@)${WORD}(?:\\.${WORD})*@${LABEL}(?:\\.${LABEL})*$`,
  'i',
)

export const EmailAddress = z
  .string()
  .max(MAX_EMAIL_CHARACTERS)
  .regex(FORM, 'must be one e-mail address, such as ann@example.com')
  .toLowerCase()
  .meta({
    override: { type: 'string', format: 'email', minLength: 3, maxLength: MAX_EMAIL_CHARACTERS },
  })

/** The part after the @ of an address that has passed the check. */
export function emailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1)
}
