/** Makes a workspace with its default project, and its first admin a member. */
import { newId } from '@posthorn/domain/ids'
import { newSigningSecret } from '@posthorn/domain/signature'
import type { Transaction } from '@posthorn/store/prisma'
import { type Seal, sealedAt } from '@posthorn/store/seal'

export interface NewWorkspace {
  name: string
  plan: string
  adminId: string
}

/** @returns the tenant's id */
export async function createWorkspace(
  transaction: Transaction,
  seal: Seal,
  { name, plan, adminId }: NewWorkspace,
): Promise<string> {
  const tenantId = newId()
  const signingSecret = seal.seal(newSigningSecret(), sealedAt('tenants.signing_secret', tenantId))
  await transaction.tenant.create({ data: { id: tenantId, name, plan, signingSecret } })
  const project = { name: 'Default', environment: 'production', isDefault: true }
  await transaction.project.create({ data: { tenantId, id: newId(), ...project } })
  await transaction.membership.create({
    data: { tenantId, userId: adminId, role: 'admin', source: 'signup' },
  })
  return tenantId
}
