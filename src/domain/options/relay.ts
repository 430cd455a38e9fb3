/** Options of the relay. */
import { SETTLE_AFTER_LEAVE_MAX } from '../../contracts/relay.ts'
import { flag, name, section, whole } from './declare.ts'

export const relay = section({
  tab: 'models',
  options: {
    CostInAnswersEnabled: flag(true),
    PassTraceContext: flag(false),
    SettleAfterLeave: whole(10, { max: SETTLE_AFTER_LEAVE_MAX }),
    'global.pass_through_request_enabled': flag(false),
    'global.hide_upstream_error_enabled': flag(false),
    'global.block_browser_extension_enabled': flag(false),
    'global.safe_check_exempt_enabled': flag(false),
    'global.safe_check_exempt_group': name('nsfw-ok'),
    'general_setting.ping_interval_enabled': flag(false),
    'general_setting.ping_interval_seconds': whole(60, { min: 1 }),
  },
})
