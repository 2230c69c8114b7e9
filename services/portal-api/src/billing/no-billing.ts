/**
 * The billing of an installation that sells nothing: every workspace has the plan of the setting
 * DEFAULT_PLAN, and there is nothing to pay, change or cancel.
 */
import { ApiError } from '@posthorn/contracts/errors'
import type { BillingProvider } from './billing-provider.ts'

export function createNoBilling(): BillingProvider {
  const refuse = async (): Promise<never> => {
    throw new ApiError(
      'INVALID_STATE',
      'this installation has no billing provider: its operator sets the plan',
    )
  }
  return {
    name: 'none',
    listPrices: async () => [],
    createCustomer: refuse,
    tenantOf: async () => null,
    readSubscription: async () => null,
    listInvoices: async () => [],
    checkOut: refuse,
    previewChange: refuse,
    change: refuse,
    cancel: refuse,
    resume: refuse,
    dropScheduledChange: refuse,
    openPortal: refuse,
    readEvent: async () => null,
  }
}
