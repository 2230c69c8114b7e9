/** The routes of members and invitations. */
import type { PlanName } from '@posthorn/domain/plans'
import type { SigningIn } from '../auth/create-auth.ts'
import { createMailLimits } from '../auth/mail-limits.ts'
import type { PortalApiDeps } from '../portal-api-deps.ts'
import { createAcceptInvite } from './accept-invite.ts'
import { createChangeMember } from './change-member.ts'
import { createInviteStatus } from './invitations.ts'
import { createInviteMember } from './invite-member.ts'
import { createListTeam } from './list-team.ts'

export function createTeam(
  config: { brand: string; defaultPlan: PlanName },
  deps: PortalApiDeps & SigningIn,
) {
  const { defaultPlan } = config
  return {
    listTeam: createListTeam(deps),
    inviteMember: createInviteMember({ ...deps, mailLimits: createMailLimits(deps.state) }),
    ...createChangeMember(deps),
    inviteStatus: createInviteStatus(deps),
    acceptInvite: createAcceptInvite(config, { ...deps, defaultPlan }),
  }
}
