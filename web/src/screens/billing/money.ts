/** Amounts as people write them; the API has them in cents, or the like of the currency. */
import { localeOf } from '../../texts/t.ts'

export function money(amount: number, currency: string | null): string {
  const format = new Intl.NumberFormat(localeOf(), {
    style: 'currency',
    currency: (currency ?? 'usd').toUpperCase(),
    trailingZeroDisplay: 'stripIfInteger',
  })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}
