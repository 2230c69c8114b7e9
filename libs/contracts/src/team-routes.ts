/** The routes of a workspace's members and invitations. */
import { anyone, may } from './access.ts'
import { LoginAnswer } from './auth.ts'
import { API, entry } from './route.ts'
import * as team from './team.ts'

const maxBodyBytes = 16 * 1024

export const teamRoutes = {
  listTeam: entry({
    method: 'GET',
    path: `${API}/team`,
    service: 'portal-api',
    access: may('team:read'),
    summary: 'List members and open invitations, newest first',
    status: 200,
    query: team.TeamListQuery,
    answer: team.TeamPage,
  }),
  inviteMember: entry({
    method: 'POST',
    path: `${API}/team/invite`,
    service: 'portal-api',
    access: may('team:write', { verifiedEmail: true }),
    audit: 'team.invite',
    summary: 'Invite somebody by mail; again to the same address sends a new link',
    status: 201,
    body: team.InviteMember,
    answer: team.TeamMember,
    errors: ['CONFLICT', 'INVALID_STATE'],
    example: { email: 'ada@example.com', role: 'editor' },
  }),
  updateMember: entry({
    method: 'PATCH',
    path: `${API}/team/:userId`,
    service: 'portal-api',
    access: may('team:write'),
    audit: 'team.update',
    summary: 'Change the role of a member or of an invitation',
    status: 200,
    body: team.UpdateMember,
    answer: team.TeamMember,
    errors: ['INVALID_STATE'],
    example: { role: 'viewer' },
  }),
  removeMember: entry({
    method: 'DELETE',
    path: `${API}/team/:userId`,
    service: 'portal-api',
    access: may('team:write'),
    audit: 'team.remove',
    summary: 'Remove a member, whose sessions end at once, or revoke an invitation',
    status: 204,
    errors: ['INVALID_STATE'],
  }),
  inviteStatus: entry({
    method: 'GET',
    path: '/auth/invite-status',
    service: 'portal-api',
    access: anyone(),
    summary: 'What an invitation is about',
    status: 200,
    query: team.InviteStatusQuery,
    answer: team.InviteStatus,
    errors: ['INVALID_TOKEN'],
  }),
  acceptInvite: entry({
    method: 'POST',
    path: '/auth/accept-invite',
    service: 'portal-api',
    access: anyone(),
    // The log of sign-ins has it.
    audit: null,
    summary: 'Join a workspace with the token of an invitation, and sign in to it',
    status: 200,
    body: team.AcceptInvite,
    answer: LoginAnswer,
    maxBodyBytes,
    errors: ['INVALID_TOKEN', 'UNAUTHORIZED', 'SSO_REQUIRED', 'CONFLICT', 'RATE_LIMITED'],
    example: {
      token: 'Vb5cE0yN1kQ2sXh8tR7uJ4wZ3aL6mP9oI_dFgKjHlS0',
      name: 'Ada King',
      password: 'correct horse battery',
    },
  }),
}
