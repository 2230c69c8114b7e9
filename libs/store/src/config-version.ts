/**
 * Marks a tenant's configuration as changed, in the transaction of the change: fan-out reads the
 * version with each batch of events, so that an event posted after the change was answered is
 * fanned out by it.
 */
interface QueryClient {
  $executeRaw(query: TemplateStringsArray, ...values: unknown[]): Promise<number>
}

export async function bumpConfigVersion(transaction: QueryClient, tenantId: string): Promise<void> {
  await transaction.$executeRaw`
    UPDATE tenants SET config_version = config_version + 1 WHERE id = ${tenantId}::uuid`
}
