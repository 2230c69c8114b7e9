/** Bodies and answers of the routes of a workspace's members and invitations. */
import { z } from 'zod'
import { LinkToken, Password, PersonName, RoleName } from './auth.ts'
import { EmailAddress } from './email-address.ts'
import { PageQuery, pageOf } from './fields.ts'

export const InviteMember = z.strictObject({ email: EmailAddress, role: RoleName })
export const UpdateMember = z.strictObject({ role: RoleName })

export const TeamMember = z.object({
  userId: z.string().describe("until an invitation is accepted, the invitation's own id"),
  email: z.string(),
  name: z.string().nullable(),
  role: RoleName,
  status: z.enum(['active', 'invited', 'deactivated']),
  source: z.enum(['signup', 'invite', 'sso', 'scim']),
  lastLoginAt: z.string().nullable(),
  createdAt: z.string(),
})
export type TeamMember = z.infer<typeof TeamMember>
export const TeamPage = pageOf(TeamMember)
export const TeamListQuery = PageQuery

export const InviteStatusQuery = z.object({ token: LinkToken })
export const InviteStatus = z.object({
  email: z.string(),
  clientName: z.string(),
  role: RoleName,
  status: z.enum(['pending', 'accepted', 'expired', 'revoked']),
  existingUser: z
    .boolean()
    .describe('true: the e-mail has an account, whose password or session accepts'),
})
export type InviteStatus = z.infer<typeof InviteStatus>

export const AcceptInvite = z.strictObject({
  token: LinkToken,
  name: PersonName.optional(),
  password: Password.optional().describe(
    'for a new account 10 to 128 characters; for an existing one its own, unless it is signed in',
  ),
})
