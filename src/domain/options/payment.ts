/** Options of online payment. */
import { baseUrl, decimal, line, numberMap, secret, section, whole } from './declare.ts'

/** Above 0: a price of 0 would give quota away. */
const PRICE_MIN = 0.000001

export const payment = section({
  tab: 'system',
  root: true,
  options: {
    PayAddress: baseUrl(),
    EpayId: line(),
    EpayKey: secret(),
    Price: decimal(7.3, { min: PRICE_MIN }, { publicAs: 'price' }),
    MinTopUp: whole(1, { min: 1 }, { publicAs: 'min_topup' }),
    CustomCallbackAddress: baseUrl(),
    TopupGroupRatio: numberMap(['group', 'ratio'], { default: 1, vip: 1, svip: 1 }, 'option.topup_ratio_not_json'),
  },
})
