/** Options of rate limits for calls. */
import { RATE_LIMIT_COUNT_MAX } from '../../contracts/token.ts'
import { flag, name, section, whole } from './declare.ts'

/** 30 days. */
const MINUTES_MAX = 43_200

export const rateLimit = section({
  tab: 'ratelimit',
  options: {
    ModelRequestRateLimitEnabled: flag(false),
    ModelRequestRateLimitCount: whole(0, { max: RATE_LIMIT_COUNT_MAX }),
    ModelRequestRateLimitSuccessCount: whole(1000, { min: 1, max: RATE_LIMIT_COUNT_MAX }),
    ModelRequestRateLimitDurationMinutes: whole(1, { max: MINUTES_MAX }),
    UserConcurrencyLimit: whole(0),
    KeyConcurrencyLimit: whole(1000),
    'global.rate_limit_exempt_enabled': flag(false),
    'global.rate_limit_exempt_group': name('bulk-ok'),
  },
})
