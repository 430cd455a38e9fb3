/** Options of operation: links, display, limits of the site. */
import { decimal, flag, section, url, whole } from './declare.ts'

const QUOTA_PER_UNIT = 500_000
const RETRIES_MAX = 100
const SAMPLE_PERCENT_MAX = 50

export const operation = section({
  tab: 'operation',
  options: {
    TopUpLink: url({ publicAs: 'top_up_link' }),
    'general_setting.docs_link': url({ publicAs: 'docs_link' }),
    QuotaPerUnit: decimal(QUOTA_PER_UNIT, { min: 1 }, { publicAs: 'quota_per_unit' }),
    RetryTimes: whole(0, { max: RETRIES_MAX }),
    ChannelAffinity: flag(true),
    ChannelAffinitySample: whole(5, { max: SAMPLE_PERCENT_MAX }),
    DisplayInCurrencyEnabled: flag(true, { publicAs: 'display_in_currency' }),
    ExposeRatioEnabled: flag(false),
    DisplayTokenStatEnabled: flag(true),
    DefaultCollapseSidebar: flag(false, { publicAs: 'default_collapse_sidebar' }),
    DemoSiteEnabled: flag(false, { root: true, publicAs: 'demo_site_enabled' }),
    SelfUseModeEnabled: flag(false, { root: true, publicAs: 'self_use_mode_enabled' }),
  },
})
