/** What a key was granted and has used, as clients of this family of gateways ask for it. */

import { NEVER } from '../../contracts/token.ts'
import { tokenOf } from '../../domain/tokens/index.ts'
import { commaList } from '../../pure/lists.ts'
import type { ApiCaller } from '../caller.ts'

/** `expires_at` is 0 for a key that never expires; figures are quota. */
export async function tokenUsage({ token: { id }, user }: ApiCaller) {
  const { name, remain_quota, used_quota, expired_time, ...token } = await tokenOf(user.id, id)
  return {
    code: true,
    message: 'ok',
    data: {
      object: 'token_usage',
      name,
      total_granted: remain_quota + used_quota,
      total_used: used_quota,
      total_available: remain_quota,
      unlimited_quota: token.unlimited_quota,
      model_limits: Object.fromEntries(commaList(token.model_limits).map(model => [model, true])),
      model_limits_enabled: token.model_limits_enabled,
      expires_at: expired_time === NEVER ? 0 : expired_time,
    },
  }
}
