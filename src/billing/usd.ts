/** Quota as exact decimal USD. */
import { decimal, roundedQuotient, textOf, times } from '../pure/decimal.ts'

/** Enough to be exact for a round `quota_per_unit`; other units are rounded. */
const DECIMALS = 12
/** Parts of a dollar. */
const SHARES = 10 ** DECIMALS

/** Decimal text: 3625 of 500000 is 0.00725. */
export function usdOf(quota: number, quota_per_unit: number): string {
  const digits =
    SHARES % quota_per_unit === 0
      ? times(quota, SHARES / quota_per_unit)
      : roundedQuotient({ digits: times(quota, SHARES), scale: 0 }, decimal(quota_per_unit))
  return textOf({ digits, scale: DECIMALS })
}
