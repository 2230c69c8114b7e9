/** Bodies and answers of the routes of a workspace's members and invitations. */
import { z } from 'zod'
import { EmailAddress } from './email-address.ts'
import { PageQuery, pageOf, textOf } from './fields.ts'

const Role = z.enum(['admin', 'editor', 'viewer'])

export const InviteMember = z.strictObject({ email: EmailAddress, role: Role })
export const UpdateMember = z.strictObject({ role: Role })

export const TeamMember = z.object({
  userId: z.string().describe("until an invitation is accepted, the invitation's own id"),
  email: z.string(),
  name: z.string().nullable(),
  role: Role,
  status: z.enum(['active', 'invited', 'deactivated']),
  source: z.enum(['signup', 'invite', 'sso', 'scim']),
  lastLoginAt: z.string().nullable(),
  createdAt: z.string(),
})
export type TeamMember = z.infer<typeof TeamMember>
export const TeamPage = pageOf(TeamMember)
export const TeamListQuery = PageQuery

/** 32 random bytes in base64url have 43 characters. */
const InviteToken = z.string().min(1).max(100)

export const InviteStatusQuery = z.object({ token: InviteToken })
export const InviteStatus = z.object({
  email: z.string(),
  clientName: z.string(),
  role: Role,
  status: z.enum(['pending', 'accepted', 'expired', 'revoked']),
  existingUser: z
    .boolean()
    .describe('true: the e-mail has an account, whose password or session accepts'),
})

export const AcceptInvite = z.strictObject({
  token: InviteToken,
  name: textOf(1, 100).optional(),
  password: z.string().min(1).max(1_024).optional(),
})
