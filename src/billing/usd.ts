/** Quota as exact decimal USD. */
import { decimal, textOf } from '../pure/decimal.ts'

/** Enough to be exact for a round `quota_per_unit`; other units are rounded. */
const DECIMALS = 12

/** Decimal text: 3625 of 500000 is 0.00725. */
export function usdOf(quota: number, quota_per_unit: number): string {
  const unit = decimal(quota_per_unit)
  const shares = BigInt(quota) * 10n ** BigInt(DECIMALS + unit.scale)
  return textOf({ digits: (2n * shares + unit.digits) / (2n * unit.digits), scale: DECIMALS })
}
