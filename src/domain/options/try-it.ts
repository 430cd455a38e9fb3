/** Options of "Try it" on the home page. Off without a key and a model. */
import { line, secret, section, whole } from './declare.ts'

export const tryIt = section({
  tab: 'other',
  root: true,
  options: {
    TryItKey: secret(),
    TryItModel: line(),
    TryItHourlyCalls: whole(5, { min: 1, max: 1000 }),
    TryItDailyQuota: whole(250_000, { min: 1 }),
  },
})
