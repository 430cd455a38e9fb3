/** Options of rate limits for calls. */
import { z } from 'zod'
import { RATE_LIMIT_COUNT_MAX, TOKENS_PER_MINUTE_MAX } from '../../contracts/token.ts'
import { asRows, flag, json, name, section, whole } from './declare.ts'

/** 30 days. */
const MINUTES_MAX = 43_200

/** Clients and proxies on the way give up later than this. */
const QUEUE_TIMEOUT_MAX = 300
/** Each waits with its request in memory. */
const QUEUE_LENGTH_MAX = 10_000
const WEIGHT_MAX = 1000
const Weights = z.record(
  z.string(),
  z.number('option.not_number_map').min(1, 'option.out_of_range').max(WEIGHT_MAX, 'option.out_of_range'),
  'option.not_number_map',
)

export const rateLimit = section({
  tab: 'ratelimit',
  options: {
    ModelRequestRateLimitEnabled: flag(false),
    ModelRequestRateLimitCount: whole(0, { max: RATE_LIMIT_COUNT_MAX }),
    ModelRequestRateLimitSuccessCount: whole(1000, { min: 1, max: RATE_LIMIT_COUNT_MAX }),
    ModelRequestRateLimitDurationMinutes: whole(1, { max: MINUTES_MAX }),
    UserConcurrencyLimit: whole(0),
    KeyConcurrencyLimit: whole(1000),
    UserTokensPerMinute: whole(0, { max: TOKENS_PER_MINUTE_MAX }),
    KeyTokensPerMinute: whole(0, { max: TOKENS_PER_MINUTE_MAX }),
    QueueTimeout: whole(10, { max: QUEUE_TIMEOUT_MAX }),
    QueueLength: whole(200, { max: QUEUE_LENGTH_MAX }),
    QueueWeights: asRows('numbers', ['group', 'weight'], json<Record<string, number>>({}, Weights)),
    'global.rate_limit_exempt_enabled': flag(false),
    'global.rate_limit_exempt_group': name('bulk-ok'),
  },
})
