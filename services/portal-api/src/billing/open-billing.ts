/** Opens the billing provider that the settings name. */
import type { Settings } from '@posthorn/runtime/config'
import type { BillingProvider } from './billing-provider.ts'
import { createNoBilling } from './no-billing.ts'
import { createStripeBilling } from './stripe/stripe-provider.ts'

type BillingSettings = Pick<
  Settings,
  | 'BILLING_PROVIDER'
  | 'STRIPE_SECRET_KEY'
  | 'STRIPE_WEBHOOK_SECRET'
  | 'STRIPE_PRICES'
  | 'STRIPE_API_URL'
>

/**
 * @param publicUrl the provider's pages lead back to a page below it
 * @throws where the settings name a provider and not what it needs
 */
export function openBilling(settings: BillingSettings, publicUrl: string): BillingProvider {
  if (settings.BILLING_PROVIDER === 'none') return createNoBilling()
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICES: prices,
  } = settings
  if (secretKey === undefined || webhookSecret === undefined || prices === undefined) {
    throw new Error(
      'Set STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICES: BILLING_PROVIDER=stripe ' +
        'needs them all.',
    )
  }
  return createStripeBilling({
    secretKey,
    webhookSecret,
    prices,
    returnUrl: `${publicUrl}/dashboard/billing`,
    apiUrl: settings.STRIPE_API_URL,
  })
}
