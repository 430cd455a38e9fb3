/** Quota and usage of a key or its user, in the format of OpenAI's old billing API, which many clients show. */

import { NEVER } from '../../contracts/token.ts'
import { option } from '../../domain/options/index.ts'
import { tokenOf } from '../../domain/tokens/index.ts'
import { ownView } from '../../domain/users/index.ts'
import type { ApiCaller } from '../caller.ts'

/** USD shown for a key without a limit. */
const UNLIMITED_USD = 100_000_000
const CENTS = 100

export async function subscription(caller: ApiCaller) {
  const { total, access_until } = await accountOf(caller)
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: total,
    hard_limit_usd: total,
    system_hard_limit_usd: total,
    access_until,
  }
}

export async function usage(caller: ApiCaller) {
  const { used_quota } = await accountOf(caller)
  return { object: 'list', total_usage: shown(used_quota * CENTS) }
}

async function accountOf({ token, user }: ApiCaller) {
  const { expired_time, unlimited_quota } = token
  const access_until = expired_time === NEVER ? 0 : expired_time
  if (!option('DisplayTokenStatEnabled')) {
    const { quota, used_quota } = await ownView(user.id)
    return { total: shown(quota + used_quota), used_quota, access_until }
  }
  const { remain_quota, used_quota } = await tokenOf(user.id, token.id)
  return { total: unlimited_quota ? UNLIMITED_USD : shown(remain_quota + used_quota), used_quota, access_until }
}

const shown = (quota: number) => (option('DisplayInCurrencyEnabled') ? quota / option('QuotaPerUnit') : quota)
