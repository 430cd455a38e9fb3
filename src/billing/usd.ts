/** Quota as money, exactly. */
import { decimal, textOf } from '../pure/decimal.ts'

/** More than any quota needs whose unit is a round number; what a stranger unit leaves over is rounded. */
const DECIMALS = 12

/** Plain decimal text: 3625 of 500000 are 0.00725. */
export function usdOf(quota: number, quota_per_unit: number): string {
  const unit = decimal(quota_per_unit)
  const shares = BigInt(quota) * 10n ** BigInt(DECIMALS + unit.scale)
  return textOf({ digits: (2n * shares + unit.digits) / (2n * unit.digits), scale: DECIMALS })
}
