/** Options of rebates for invitations. */
import { decimal, flag, section } from './declare.ts'

export const rebate = section({
  tab: 'operation',
  options: {
    AffEnabled: flag(true, { publicAs: 'aff_enabled' }),
    RebateEnabled: flag(false),
    RebatePercentage: decimal(0, { max: 100, message: 'option.rebate_range' }),
  },
})
