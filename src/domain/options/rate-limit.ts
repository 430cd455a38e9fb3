/** Options of rate limits for calls. */
import { flag, name, section, whole } from './declare.ts'

export const rateLimit = section({
  tab: 'ratelimit',
  options: {
    ModelRequestRateLimitEnabled: flag(false),
    ModelRequestRateLimitCount: whole(0),
    ModelRequestRateLimitSuccessCount: whole(1000, { min: 1 }),
    ModelRequestRateLimitDurationMinutes: whole(1),
    UserConcurrencyLimit: whole(0),
    'global.rate_limit_exempt_enabled': flag(false),
    'global.rate_limit_exempt_group': name('bulk-ok'),
  },
})
